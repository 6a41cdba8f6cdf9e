-- Leases due deliveries of one lane to this process and reads all that sending them takes. What must not be sent any
-- more is cancelled instead. The caller holds the lock that lets claims and changes happen one after the other, so
-- that counts of what is in flight are exact over all processes, and nothing read here changes before the sends have
-- begun. perEndpoint and perAccount are the most that may be in flight; carriedTypes is as plan_event_feed takes it.
-- params: now, isTest, most, perEndpoint, perAccount, leaseUntil, carriedTypes
-- never null: event_id
-- typed: event_type EventType from ../../events/event-types.ts
-- typed: data EventData from ../../events/event-row.ts
WITH RECURSIVE
-- The endpoints that anything is queued for, each with when its first is due, by leaping through the index from one to the
-- next: a long queue of one of them is never gone through.
waiting AS (
  (SELECT endpoint_id, due_at FROM webhook_delivery
   WHERE status = 'queued' AND is_test = $2
   ORDER BY endpoint_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id, next.due_at
  FROM waiting
  CROSS JOIN LATERAL (
    SELECT delivery.endpoint_id, delivery.due_at FROM webhook_delivery AS delivery
    WHERE delivery.status = 'queued' AND delivery.is_test = $2 AND delivery.endpoint_id > waiting.endpoint_id
    ORDER BY delivery.endpoint_id, delivery.due_at LIMIT 1) AS next
),
-- Leases that are over are no flights; without that bound, all that ever flew would be looked at while a long transaction
-- elsewhere keeps it from being cleaned up.
flying AS MATERIALIZED (
  SELECT endpoint_id, account_id FROM webhook_delivery
  WHERE status = 'sending' AND lease_until > $1 AND is_test = $2
),
of_endpoint AS (SELECT endpoint_id, count(*) AS flights FROM flying GROUP BY endpoint_id),
of_account AS (SELECT account_id, count(*) AS flights FROM flying GROUP BY account_id),
able AS MATERIALIZED (
  SELECT waiting.endpoint_id, coalesce(of_endpoint.flights, 0) AS flights, count(*) OVER () AS endpoints
  FROM waiting LEFT JOIN of_endpoint ON of_endpoint.endpoint_id = waiting.endpoint_id
  WHERE waiting.due_at <= $1 AND coalesce(of_endpoint.flights, 0) < $4::int
),
-- The oldest of each endpoint, as many as it has room for and as it will get about.
due AS (
  SELECT oldest.id, oldest.account_id, oldest.due_at,
    able.flights + row_number() OVER (PARTITION BY able.endpoint_id ORDER BY oldest.due_at, oldest.id) AS place
  FROM able
  CROSS JOIN LATERAL (
    SELECT delivery.id, delivery.account_id, delivery.due_at
    FROM webhook_delivery AS delivery
    WHERE delivery.status = 'queued' AND delivery.is_test = $2
      AND delivery.endpoint_id = able.endpoint_id AND delivery.due_at <= $1
    ORDER BY delivery.due_at, delivery.id
    LIMIT least($4::int - able.flights, 1 + $3::int / able.endpoints)) AS oldest
),
-- In turn: everybody's first before anybody's second, so that a quiet account never stands behind a busy one's queue.
in_turn AS (
  SELECT due.id, due.due_at,
    coalesce(of_account.flights, 0) + row_number() OVER (
      PARTITION BY due.account_id ORDER BY due.place, due.due_at, due.id) AS place
  FROM due LEFT JOIN of_account ON of_account.account_id = due.account_id
),
chosen AS (
  SELECT id FROM in_turn WHERE place <= $5::int ORDER BY place, due_at, id LIMIT $3::int
),
-- Whoever pauses or replays holds rows for a moment; those are left for the next time. Whether a row is queued still is
-- asked further below: here it would lead the planner to the index of what is queued, all of it.
held AS MATERIALIZED (
  SELECT delivery.id, delivery.endpoint_id, delivery.account_id,
    coalesce(delivery.event_id, delivery.test_number) AS event_id, delivery.event_type, delivery.is_test, delivery.created_at, delivery.status
  FROM webhook_delivery AS delivery
  WHERE delivery.id = ANY (ARRAY(SELECT id FROM chosen))
  FOR NO KEY UPDATE SKIP LOCKED
),
judged AS MATERIALIZED (
  SELECT held.*, endpoint.url, endpoint.secret_sealed,
    event.country, event.usdot, event.docket, event.state, event.occurred_on, event.detected_at, event.source_dataset,
    event.verify_method, event.data,
    CASE
      WHEN endpoint.deleted_at IS NOT NULL THEN 'deleted'
      WHEN held.is_test THEN NULL
      WHEN NOT endpoint.active THEN 'paused'
      WHEN NOT held.event_type = ANY (endpoint.event_types) THEN 'unsubscribed'
      -- Its business is on the removal list.
      WHEN event.id IS NULL THEN 'removed'
      WHEN NOT EXISTS (
        SELECT FROM plan_sees_event(account.plan_code, event.type, event.state, $7::text[]))
        THEN 'plan_changed'
    END AS cancel_reason
  FROM held
  JOIN webhook_endpoint AS endpoint ON endpoint.id = held.endpoint_id
  JOIN account ON account.id = held.account_id
  LEFT JOIN visible_event AS event ON event.id = held.event_id AND NOT held.is_test
  WHERE held.status = 'queued'
),
claimed AS (
  UPDATE webhook_delivery AS delivery SET
    status = CASE WHEN judged.cancel_reason IS NULL THEN 'sending' ELSE 'cancelled' END,
    attempt = delivery.attempt + CASE WHEN judged.cancel_reason IS NULL THEN 1 ELSE 0 END,
    lease_until = CASE WHEN judged.cancel_reason IS NULL THEN $6::timestamptz END,
    cancel_reason = judged.cancel_reason,
    finished_at = CASE WHEN judged.cancel_reason IS NOT NULL THEN $1::timestamptz END
  FROM judged
  WHERE delivery.id = judged.id
  RETURNING delivery.id, delivery.attempt, delivery.failures
)
SELECT judged.*, claimed.attempt, claimed.failures
FROM claimed JOIN judged ON judged.id = claimed.id
ORDER BY judged.id
