-- The same as find-charge.sql. Locks the row, if there is one, until the transaction ends.
-- params: accountId, month, content
-- typed: chargedByState Record<string, number>
-- typed: deliveredByState Record<string, number>
-- include: charge-of-content.sql
FOR UPDATE
