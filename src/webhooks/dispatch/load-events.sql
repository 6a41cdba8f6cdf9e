-- params: eventIds
-- typed: type EventType from ../../events/event-types.ts
-- typed: data EventData from ../../events/event-row.ts
SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
FROM visible_event WHERE id = ANY ($1::bigint[])
