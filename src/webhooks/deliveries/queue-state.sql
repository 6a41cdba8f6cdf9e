-- State of the delivery queue.
-- params: now, lostSince
SELECT
  (SELECT count(*) FROM webhook_delivery WHERE status = 'queued') AS queued,
  (SELECT count(*) FROM webhook_delivery WHERE status = 'queued' AND due_at <= $1) AS due,
  (SELECT count(*) FROM webhook_delivery WHERE status = 'sending') AS sending,
  (SELECT count(*) FROM webhook_delivery WHERE status = 'failed' AND finished_at >= $2) AS failed,
  (SELECT count(*) FROM webhook_delivery WHERE status = 'cancelled' AND finished_at >= $2) AS cancelled
