-- params: none
SELECT count(*) FILTER (WHERE failed_at IS NULL) AS waiting,
  min(created_at) FILTER (WHERE failed_at IS NULL) AS since,
  count(failed_at) AS failed
FROM mail_outbox WHERE sent_at IS NULL
