-- Says that a dispatcher lives. No row when another has declared it dead.
-- params: dispatcherId, inFlight
UPDATE webhook_dispatcher SET seen_at = clock_timestamp(), in_flight = $2 WHERE id = $1 RETURNING id
