-- params: none
-- after: open-new-events.sql
-- typed: type EventType from ../event-types.ts
SELECT type, count(*) AS count FROM new_event GROUP BY type ORDER BY type
