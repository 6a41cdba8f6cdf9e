-- Authorities that an order takes away on a coming day. One record per authority, for the order that takes effect first.
SELECT * FROM eligible
