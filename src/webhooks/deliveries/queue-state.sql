-- State of the delivery queue.
-- params: now, lostSince
SELECT fresh.deliveries + (SELECT count(*) FROM webhook_retry) AS queued,
  fresh.deliveries + (SELECT count(*) FROM webhook_retry WHERE due_at <= $1) AS due,
  (SELECT coalesce(sum(in_flight), 0) FROM webhook_dispatcher) AS sending,
  (SELECT count(*) FROM webhook_result WHERE outcome = 'failed' AND ended_at >= $2) AS failed,
  (SELECT count(*) FROM webhook_result WHERE outcome = 'cancelled' AND ended_at >= $2) AS cancelled
FROM (
  SELECT count(*) AS deliveries
  FROM webhook_endpoint AS endpoint
  CROSS JOIN LATERAL (
-- include: unfinished.sql
  ) AS waiting) AS fresh
