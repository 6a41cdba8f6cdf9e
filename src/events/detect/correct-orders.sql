-- Orders whose day of service or effect differs from what their event says.
-- params: none
-- after: correct-history.sql, ../../registry/authorities/open-new-pending-revocations.sql
-- after: ../../registry/authorities/open-gone-pending-revocations.sql
INSERT INTO corrected_event (id, docket, come_row, occurred_on, effective_on, reason)
-- The day of service: an order is gone, and one with another day of service takes effect on the same day.
SELECT DISTINCT ON (event.id) event.id, gone.docket, NULL::uuid, come.served_on, come.effective_on, come.order_type
FROM gone_pending_revocation AS gone
JOIN new_pending_revocation AS come USING (docket, authority_class, usdot, effective_on)
JOIN event ON event.identity = concat_ws('|', 'revocation_pending', gone.docket, gone.authority_class, gone.usdot, gone.named_on)
UNION ALL
-- The day of effect.
SELECT event.id, now.docket, NULL::uuid, now.served_on, now.effective_on, now.order_type
FROM pending_revocation AS now
JOIN event ON event.identity = concat_ws('|', 'revocation_pending', now.docket, now.authority_class, now.usdot, now.named_on)
WHERE event.data ->> 'effective_date' <> now.effective_on::text;

DELETE FROM new_pending_revocation AS come USING gone_pending_revocation AS gone
WHERE come.docket = gone.docket AND come.authority_class = gone.authority_class AND come.usdot = gone.usdot
  AND come.effective_on = gone.effective_on
