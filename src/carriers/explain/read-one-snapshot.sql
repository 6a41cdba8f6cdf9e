-- Makes a transaction read one snapshot, so that an import that publishes meanwhile is seen whole or not at all.
-- params: none
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ
