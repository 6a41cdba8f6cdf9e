-- Saves up to which delivery endpoints are done, while the dispatcher lives.
-- params: dispatcherId, endpointIds, doneTo
WITH alive AS MATERIALIZED (SELECT FROM webhook_dispatcher WHERE id = $1 FOR KEY SHARE)
INSERT INTO webhook_progress AS saved (endpoint_id, done_to)
SELECT progress.endpoint_id, progress.done_to
FROM alive CROSS JOIN unnest($2::int[], $3::bigint[]) AS progress (endpoint_id, done_to)
ORDER BY progress.endpoint_id
ON CONFLICT (endpoint_id) DO UPDATE SET done_to = excluded.done_to WHERE saved.done_to < excluded.done_to
