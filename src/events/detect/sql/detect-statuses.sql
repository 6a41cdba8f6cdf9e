-- name: detectStatuses :exec
-- Events from authorities that became inactive or withdrawn, for any reason. If an insurance suspension already reports
-- the same loss, with more detail, there is no event here.
-- params: asOf, detectedAt, states, classes
-- reads: new_event, recorded_event, authority_change
INSERT INTO new_event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity)
SELECT
  'authority_inactive', 'US', change.usdot, shown_docket(change.docket), change.authority_class,
  CASE WHEN company.state = ANY ($3::text[]) THEN company.state END,
  matching.changed_on, $2::timestamptz, 'authority_snapshot', 'snapshot_comparison',
  jsonb_build_object(
    'legal_name', company.legal_name, 'reason', matching.reason, 'authority_type', change.authority_class,
    'status_before', change.status_before, 'status_after', change.status_after,
    'effective_date', matching.changed_on),
  concat_ws('|', 'authority_inactive', change.docket, change.authority_class, change.usdot,
    coalesce(matching.changed_on, $1::date))
FROM authority_change AS change
JOIN authority USING (docket, authority_class, usdot)
-- include: companyOfAuthority
-- The newest history row gives the day and the reason, if it has the authority's new status; an older loss does not. Of
-- several rows of that day, rows with the new status come first, then rows with a reason. Rows about another company that
-- has the docket too do not count.
LEFT JOIN LATERAL (
  SELECT status, changed_on, reason FROM motus_authhist AS history
  WHERE history.docket = change.docket AND history.authority_class = change.authority_class
    AND coalesce(history.usdot = change.usdot, true) AND history.changed_on <= $1::date
  ORDER BY changed_on DESC, status = change.status_after DESC, reason NULLS LAST, row_id LIMIT 1
) AS matching ON matching.status = change.status_after
-- An authority that was missing before may have been lost long ago.
WHERE change.status_before NOT IN ('inactive', 'withdrawn', 'missing')
  AND change.status_after IN ('inactive', 'withdrawn')
  AND coalesce(matching.changed_on >= $1::date - 30, true)
  AND change.authority_class = ANY ($4::text[])
  AND company.legal_name IS NOT NULL
  AND is_us_company(change.usdot, company.country, company.legal_name)
  AND NOT EXISTS (
    SELECT FROM recorded_event AS recorded
    WHERE recorded.usdot = change.usdot AND recorded.docket IS NOT DISTINCT FROM shown_docket(change.docket)
      AND recorded.authority_class = change.authority_class
      AND recorded.type = 'insurance_cancellation_suspension'
      AND NOT EXISTS (
        SELECT FROM motus_authhist AS revived
        WHERE revived.docket = change.docket AND revived.authority_class = change.authority_class
          AND coalesce(revived.usdot = change.usdot, true)
          AND revived.status = 'active' AND revived.changed_on <= $1::date
          AND revived.changed_on > coalesce(recorded.occurred_on, (recorded.detected_at AT TIME ZONE 'UTC')::date)))
ON CONFLICT (identity) DO NOTHING;
