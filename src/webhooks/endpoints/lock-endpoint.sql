-- params: endpointId, accountId
-- never null: eventTypes
-- typed: payload Payload from ./filters.ts
-- typed: eventTypes EventType[] from ../../events/event-types.ts
-- include: shown-endpoint.sql
FOR NO KEY UPDATE
