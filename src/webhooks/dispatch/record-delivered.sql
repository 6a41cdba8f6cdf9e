-- Records first attempts that were accepted, while the dispatcher lives. An attempt that is recorded already changes nothing.
-- Times are milliseconds since 1970; the signatures are one text of 32 bytes each. Gives whether the dispatcher lives.
-- params: dispatcherId, deliveryIds, endpointIds, startedMs, endedMs, durationsMs, httpStatuses, signatures
WITH alive AS MATERIALIZED (SELECT true AS is_alive FROM webhook_dispatcher WHERE id = $1 FOR KEY SHARE),
recorded AS (
  INSERT INTO webhook_result (delivery_id, number, endpoint_id, attempt, started_at, duration_ms, http_status, signature,
    outcome, ended_at)
  SELECT ended.delivery_id, 1, ended.endpoint_id, 1, timestamptz 'epoch' + ended.started_ms * interval '1 ms',
    ended.duration_ms, ended.http_status, substr($8::bytea, 32 * ended.index::int - 31, 32), 'delivered',
    timestamptz 'epoch' + ended.ended_ms * interval '1 ms'
  FROM alive CROSS JOIN unnest($2::bigint[], $3::int[], $4::bigint[], $5::bigint[], $6::int[], $7::int[])
    WITH ORDINALITY AS ended (delivery_id, endpoint_id, started_ms, ended_ms, duration_ms, http_status, index)
  ON CONFLICT DO NOTHING
)
SELECT EXISTS (SELECT FROM alive) AS "isAlive"
