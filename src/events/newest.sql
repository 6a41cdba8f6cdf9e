-- The newest visible events of a scope, newest first. $1: the scope (see scope_has_event). $2: only this business, unless
-- null. $3: only events with a lower id, unless null. $4: the most events.
SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
FROM visible_event
WHERE scope_has_event($1::text[], type, state)
  AND ($2::int IS NULL OR usdot = $2) AND ($3::bigint IS NULL OR id < $3)
ORDER BY id DESC
LIMIT $4::int
