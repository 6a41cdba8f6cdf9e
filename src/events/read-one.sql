-- params: eventId, scope
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
FROM visible_event AS event
WHERE id = $1::bigint AND scope_has_event($2::text[], event.type, event.state)
