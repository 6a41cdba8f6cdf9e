-- Authorities that are active now and lose their permission on a coming day, by an order that was served and not
-- cured. One record per authority, for the order served last.
SELECT DISTINCT ON (docket_number, authority_class, usdot)
  subject.*,
  pending.order_type,
  pending.served_on AS order_served,
  pending.effective_on AS order_effective
FROM subject
JOIN pending_revocation AS pending USING (authority_class, usdot)
WHERE pending.docket = subject.docket_number
  AND authority_status = 'active'
  AND authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
ORDER BY docket_number, authority_class, usdot, pending.served_on DESC, pending.effective_on
