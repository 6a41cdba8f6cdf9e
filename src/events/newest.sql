-- The newest visible events of a scope (see scope_has_event), newest first; only of one business and only with a lower id
-- than `before`, unless these are null.
-- params: scope, usdot?, before?, most
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
FROM visible_event
WHERE scope_has_event($1::text[], type, state)
  AND ($2::int IS NULL OR usdot = $2) AND ($3::bigint IS NULL OR id < $3)
ORDER BY id DESC
LIMIT $4::int
