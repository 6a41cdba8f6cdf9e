-- Leases due deliveries of one lane to this process and reads everything that sending needs. It cancels deliveries that
-- must not be sent any more. The caller holds the lock that serialises claims and changes, so counts of deliveries in
-- flight are exact over all processes, and nothing read here changes before the requests have started. perEndpoint and
-- perAccount are the most in flight; carriedTypes is the parameter of plan_event_feed.
-- params: now, isTest, most, perEndpoint, perAccount, leaseUntil, carriedTypes
-- never null: event_id
-- typed: event_type EventType from ../../events/event-types.ts
-- typed: data EventData from ../../events/event-row.ts
WITH RECURSIVE
-- Endpoints with queued deliveries and the time when their first is due, by a loose index scan: it never reads the whole
-- queue of an endpoint.
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
-- Deliveries in flight. Without the bound on the lease, the index scan would read all dead rows while a long transaction
-- elsewhere blocks vacuum.
in_flight AS MATERIALIZED (
  SELECT endpoint_id, account_id FROM webhook_delivery
  WHERE status = 'sending' AND lease_until > $1 AND is_test = $2
),
of_endpoint AS (SELECT endpoint_id, count(*) AS sending FROM in_flight GROUP BY endpoint_id),
of_account AS (SELECT account_id, count(*) AS sending FROM in_flight GROUP BY account_id),
with_capacity AS MATERIALIZED (
  SELECT waiting.endpoint_id, coalesce(of_endpoint.sending, 0) AS sending, count(*) OVER () AS endpoints
  FROM waiting LEFT JOIN of_endpoint ON of_endpoint.endpoint_id = waiting.endpoint_id
  WHERE waiting.due_at <= $1 AND coalesce(of_endpoint.sending, 0) < $4::int
),
-- The oldest deliveries of each endpoint, up to its remaining capacity and about its share of this claim.
due AS (
  SELECT oldest.id, oldest.account_id, oldest.due_at,
    with_capacity.sending + row_number() OVER (
      PARTITION BY with_capacity.endpoint_id ORDER BY oldest.due_at, oldest.id) AS turn
  FROM with_capacity
  CROSS JOIN LATERAL (
    SELECT delivery.id, delivery.account_id, delivery.due_at
    FROM webhook_delivery AS delivery
    WHERE delivery.status = 'queued' AND delivery.is_test = $2
      AND delivery.endpoint_id = with_capacity.endpoint_id AND delivery.due_at <= $1
    ORDER BY delivery.due_at, delivery.id
    LIMIT least($4::int - with_capacity.sending, 1 + $3::int / with_capacity.endpoints)) AS oldest
),
-- Round-robin: the first delivery of every account before the second of any, so that a busy account blocks nobody.
in_turn AS (
  SELECT due.id, due.due_at,
    coalesce(of_account.sending, 0) + row_number() OVER (
      PARTITION BY due.account_id ORDER BY due.turn, due.due_at, due.id) AS turn
  FROM due LEFT JOIN of_account ON of_account.account_id = due.account_id
),
chosen AS (
  SELECT id FROM in_turn WHERE turn <= $5::int ORDER BY turn, due_at, id LIMIT $3::int
),
-- Skips rows that a pause or replay has locked; a later claim takes them. `decided` checks whether a row is still queued:
-- here that condition would lead the planner to scan the whole index of queued deliveries.
held AS MATERIALIZED (
  SELECT delivery.id, delivery.endpoint_id, delivery.account_id,
    coalesce(delivery.event_id, delivery.test_number) AS event_id, delivery.event_type, delivery.is_test, delivery.created_at, delivery.status
  FROM webhook_delivery AS delivery
  WHERE delivery.id = ANY (ARRAY(SELECT id FROM chosen))
  FOR NO KEY UPDATE SKIP LOCKED
),
decided AS MATERIALIZED (
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
    status = CASE WHEN decided.cancel_reason IS NULL THEN 'sending' ELSE 'cancelled' END,
    attempt = delivery.attempt + CASE WHEN decided.cancel_reason IS NULL THEN 1 ELSE 0 END,
    lease_until = CASE WHEN decided.cancel_reason IS NULL THEN $6::timestamptz END,
    cancel_reason = decided.cancel_reason,
    finished_at = CASE WHEN decided.cancel_reason IS NOT NULL THEN $1::timestamptz END
  FROM decided
  WHERE delivery.id = decided.id
  RETURNING delivery.id, delivery.attempt, delivery.failures
)
SELECT decided.*, claimed.attempt, claimed.failures
FROM claimed JOIN decided ON decided.id = claimed.id
ORDER BY decided.id
