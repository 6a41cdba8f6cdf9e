-- Orders whose day of service or effect differs from their event.
-- params: none
-- after: correct-history.sql, ../../registry/authorities/open-new-pending-revocations.sql
-- after: ../../registry/authorities/open-deleted-pending-revocations.sql
INSERT INTO corrected_event (id, docket, added_row, occurred_on, effective_on, reason)
-- The day of service: an order was deleted, and a new one with another day of service takes effect on the same day.
SELECT DISTINCT ON (event.id) event.id, deleted.docket, NULL::uuid, added.served_on, added.effective_on, added.order_type
FROM deleted_pending_revocation AS deleted
JOIN new_pending_revocation AS added USING (docket, authority_class, usdot, effective_on)
JOIN event ON event.identity = concat_ws('|', 'revocation_pending', deleted.docket, deleted.authority_class, deleted.usdot, deleted.named_on)
UNION ALL
-- The day of effect.
SELECT event.id, now.docket, NULL::uuid, now.served_on, now.effective_on, now.order_type
FROM pending_revocation AS now
JOIN event ON event.identity = concat_ws('|', 'revocation_pending', now.docket, now.authority_class, now.usdot, now.named_on)
WHERE event.data ->> 'effective_date' <> now.effective_on::text;

DELETE FROM new_pending_revocation AS added USING deleted_pending_revocation AS deleted
WHERE added.docket = deleted.docket AND added.authority_class = deleted.authority_class AND added.usdot = deleted.usdot
  AND added.effective_on = deleted.effective_on
