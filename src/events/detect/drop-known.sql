-- params: none
-- after: open-new-events.sql
DELETE FROM new_event WHERE EXISTS (SELECT FROM event WHERE event.identity = new_event.identity)
