-- name: countReplay :many
-- How many deliveries a replay would queue, by their present state.
-- typed: kind ReplayKind from ./replay-range.ts
-- params: endpointId, carriedTypes, before, last, from, to, startedAt, kinds
SELECT kind, count(*) AS count
FROM (
-- include: replayCandidates
) AS candidate
GROUP BY kind;

-- name: lastOfWindow :one
-- The last id of the next events of a range; null when there is none.
-- params: before, last, most
SELECT max(id) AS last
FROM (SELECT id FROM event_position WHERE id > $1::bigint AND id <= $2::bigint ORDER BY id LIMIT $3) AS next;

-- name: lockActive :exec
-- Gives a row while the endpoint is active; a pause of it blocks on this lock.
-- params: endpointId
SELECT FROM webhook_endpoint WHERE id = $1 AND active FOR NO KEY UPDATE;

-- name: lockFanOut :exec
-- Holds the cursor of fan-out: ids of deliveries become visible in order only while one process at a time inserts them.
SELECT FROM webhook_fan_out FOR NO KEY UPDATE;

-- part: replayCandidates
-- The events of a window that a replay sends to an endpoint, each with its delivery, if any, and the reason to send it.
-- Present values of type, filters, plan, regions and removal list decide, as at fan-out. Events from before the endpoint was
-- registered or enabled are included, unlike at fan-out. A delivery that waits for its first attempt
-- is not sent again. $1: endpoint. $2: event types and their feeds (plan_event_feed). $3, $4: ids of the window,
-- without the first. $5, $6: range of detected_at, without the end. $7: start of the replay; it queued deliveries that
-- ended later. $8: the kinds to include.
SELECT event.id AS event_id, event.type AS event_type, endpoint.account_id, delivery.id AS delivery_id,
  kind.of_event AS kind
-- OFFSET makes the planner read the endpoint first, once.
FROM (
  SELECT webhook_endpoint.id, webhook_endpoint.event_types, webhook_endpoint.account_id, account.plan_code,
    webhook_endpoint AS wishes, coalesce(trucks_min, trucks_max) IS NOT NULL AS is_by_trucks
  FROM webhook_endpoint JOIN account ON account.id = webhook_endpoint.account_id
  WHERE webhook_endpoint.id = $1::bigint OFFSET 0) AS endpoint
JOIN visible_event AS event ON event.id > $3::bigint AND event.id <= $4::bigint
  AND event.detected_at >= $5::timestamptz AND event.detected_at < $6::timestamptz
  AND event.type = ANY (endpoint.event_types)
CROSS JOIN LATERAL (
  SELECT CASE WHEN endpoint.is_by_trucks
    THEN (SELECT census.power_units FROM census WHERE census.usdot = event.usdot) END AS trucks
  OFFSET 0) AS business
LEFT JOIN webhook_delivery_state AS delivery
  ON delivery.endpoint_id = endpoint.id AND delivery.event_id = event.id AND delivery.correction_id IS NULL
CROSS JOIN LATERAL (
  SELECT CASE delivery.status WHEN 'queued' THEN 'retrying' ELSE coalesce(delivery.status, 'missed') END AS of_event) AS kind
WHERE kind.of_event = ANY ($8::text[])
  AND webhook_wants_event(endpoint.wishes, event, business.trucks)
  AND webhook_watches(endpoint.wishes, event.usdot)
  AND EXISTS (SELECT FROM plan_sees_event(endpoint.plan_code, event.type, event.state, $2::text[]))
  AND (delivery.id IS NULL
    OR (delivery.status = 'queued' AND delivery.failures > 0)
    OR (delivery.status <> 'queued' AND delivery.finished_at < $7::timestamptz))

-- name: replayRange :one?
-- Event ids of a range of time, above "before" and up to "last"; ids grow as detected_at does. Events that are not fanned
-- out yet are left to fan-out, else both would queue them. Fan-out leaves out events from before the endpoint was
-- enabled, however late it reaches them, so a replay includes those.
-- params: endpointId, accountId?, from, to
SELECT endpoint.active,
  coalesce((SELECT event.id - 1 FROM event_position AS event WHERE event.detected_at >= $3::timestamptz
    ORDER BY event.detected_at, event.id LIMIT 1), (SELECT max(id) FROM event_position), 0) AS before,
  least(
    greatest(fan_out.last_event_id, endpoint.after_event_id),
    coalesce((SELECT event.id FROM event_position AS event WHERE event.detected_at < $4::timestamptz
      ORDER BY event.detected_at DESC, event.id DESC LIMIT 1), 0)) AS last
FROM webhook_endpoint AS endpoint
CROSS JOIN webhook_fan_out AS fan_out
WHERE endpoint.id = $1::bigint AND endpoint.deleted_at IS NULL AND ($2::integer IS NULL OR endpoint.account_id = $2);

-- name: replay :one
-- Queues the candidates, due now and with their whole retry schedule. Ids of delivery and event stay, and attempts
-- continue their numbering.
-- params: endpointId, carriedTypes, before, last, from, to, startedAt, kinds, now
WITH candidate AS MATERIALIZED (
-- include: replayCandidates
), again AS (
  INSERT INTO webhook_retry (delivery_id, endpoint_id, account_id, due_at, attempt)
  SELECT candidate.delivery_id, $1::bigint, candidate.account_id, $9::timestamptz,
    coalesce((SELECT max(attempt) FROM webhook_result WHERE delivery_id = candidate.delivery_id), 0) + 1
  FROM candidate WHERE candidate.delivery_id IS NOT NULL
  ORDER BY candidate.delivery_id
  ON CONFLICT (delivery_id) DO UPDATE SET due_at = excluded.due_at, failures = 0
  RETURNING 1
), fresh AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, created_at)
  SELECT $1::bigint, account_id, event_id, event_type, $9 FROM candidate WHERE delivery_id IS NULL
  ORDER BY event_id
  RETURNING 1
)
SELECT (SELECT count(*) FROM again) + (SELECT count(*) FROM fresh) AS queued;
