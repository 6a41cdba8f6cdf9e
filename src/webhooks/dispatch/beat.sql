-- Says that a dispatcher lives. No row when another has declared it dead.
-- params: dispatcherId, now, inFlight
UPDATE webhook_dispatcher SET seen_at = $2, in_flight = $3 WHERE id = $1 RETURNING id
