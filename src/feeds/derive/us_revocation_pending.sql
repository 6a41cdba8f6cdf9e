-- Authorities that are active now and lose their permission on a coming day, by an order that was not cured. One record
-- per authority, for the order that takes effect first.
SELECT DISTINCT ON (docket, authority_class, usdot)
  subject.*,
  pending.order_type,
  pending.served_on AS order_served,
  pending.effective_on AS order_effective
FROM subject
JOIN pending_revocation AS pending USING (docket, authority_class, usdot)
WHERE authority_status = 'active'
  AND authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
ORDER BY docket, authority_class, usdot, pending.effective_on, pending.served_on NULLS LAST
