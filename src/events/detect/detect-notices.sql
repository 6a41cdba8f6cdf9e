-- Events from revocations that became pending with this import: one per authority and order.
-- params: detectedAt, states, asOf, classes
-- after: open-new-events.sql, ../../registry/authorities/record-status-changes.sql
-- after: ../../registry/authorities/open-new-pending-revocations.sql
INSERT INTO new_event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity)
SELECT
  'revocation_pending', 'US', notice.usdot, shown_docket(notice.docket), notice.authority_class,
  CASE WHEN company.state = ANY ($2::text[]) THEN company.state END,
  notice.served_on, $1::timestamptz, 'revocation_suspension_notice', 'registry_record',
  jsonb_build_object(
    'legal_name', company.legal_name, 'reason', notice.order_type, 'authority_type', notice.authority_class,
    -- An authority without a change has the same status as before; a new one has no status before.
    'status_before', CASE WHEN change.docket IS NULL THEN authority.status ELSE change.status_before END,
    'status_after', authority.status,
    'effective_date', notice.effective_on),
  concat_ws('|', 'revocation_pending', notice.docket, notice.authority_class, notice.usdot, notice.named_on)
FROM new_pending_revocation AS notice
JOIN authority USING (docket, authority_class, usdot)
LEFT JOIN authority_change AS change USING (docket, authority_class, usdot)
-- include: company-of-authority.sql
WHERE notice.source = 'motus'
  AND notice.named_on >= greatest($3::date - 30, authority.first_seen_on)
  AND notice.authority_class = ANY ($4::text[])
  AND company.legal_name IS NOT NULL
  AND is_us_company(notice.usdot, company.country, company.legal_name)
ON CONFLICT (identity) DO NOTHING
