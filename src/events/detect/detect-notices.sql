-- Events from revocations that became pending with this import: one per authority and order.
-- params: detectedAt, states, asOf, classes
-- after: open-new-events.sql, ../../registry/authorities/note-status-changes.sql
-- after: ../../registry/authorities/open-new-pending-revocations.sql
INSERT INTO new_event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity)
SELECT
  'revocation_pending', 'US', notice.usdot, shown_docket(notice.docket), notice.authority_class,
  CASE WHEN filed.state = ANY ($2::text[]) THEN filed.state END,
  notice.served_on, $1::timestamptz, 'revocation_suspension_notice', 'registry_record',
  jsonb_build_object(
    'legal_name', filed.legal_name, 'reason', notice.order_type, 'authority_type', notice.authority_class,
    -- An authority without a change has the same status as before; a new one has no status before.
    'status_before', CASE WHEN change.docket IS NULL THEN authority.status ELSE change.status_before END,
    'status_after', authority.status,
    'effective_date', notice.effective_on),
  concat_ws('|', 'revocation_pending', notice.docket, notice.authority_class, notice.usdot, notice.named_on)
FROM new_pending_revocation AS notice
JOIN authority USING (docket, authority_class, usdot)
LEFT JOIN authority_change AS change USING (docket, authority_class, usdot)
LEFT JOIN census ON census.usdot = notice.usdot
CROSS JOIN LATERAL (
  SELECT coalesce(census.legal_name, authority.registry_name) AS legal_name,
    coalesce(census.state, authority.registry_state) AS state,
    CASE WHEN census.usdot IS NULL THEN authority.registry_country ELSE census.country END AS country
) AS filed
WHERE notice.source = 'motus'
  AND notice.named_on >= greatest($3::date - 30, authority.first_seen_on)
  AND notice.authority_class = ANY ($4::text[])
  AND filed.legal_name IS NOT NULL
  AND is_us_company(notice.usdot, filed.country, filed.legal_name)
ON CONFLICT (identity) DO NOTHING
