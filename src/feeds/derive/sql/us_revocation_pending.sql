-- part: us_revocation_pending
-- Authorities that an order revokes on a future day. One record per authority, for the order that takes effect first.
SELECT *, filed_insurer AS insurer FROM eligible
