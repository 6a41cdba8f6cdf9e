-- name: beat :exec
-- A heartbeat. No row when the dispatcher is not registered any more.
-- params: dispatcherId, inFlight
UPDATE webhook_dispatcher SET seen_at = clock_timestamp(), in_flight = $2 WHERE id = $1 RETURNING id;

-- name: endRetries :exec
-- params: deliveryIds
DELETE FROM webhook_retry WHERE delivery_id = ANY ($1::bigint[]);

-- name: findDue :many
-- Endpoints with deliveries to be tried again now, by a loose index scan: it never reads all that wait for an endpoint.
-- params: now, isTest
-- plan: once
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id, account_id, due_at FROM webhook_retry
   WHERE is_test = $2
   ORDER BY is_test, endpoint_id, due_at, delivery_id LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id, next.account_id, next.due_at
  FROM waiting
  CROSS JOIN LATERAL (
    SELECT retry.endpoint_id, retry.account_id, retry.due_at FROM webhook_retry AS retry
    WHERE retry.is_test = $2 AND retry.endpoint_id > waiting.endpoint_id
    ORDER BY retry.is_test, retry.endpoint_id, retry.due_at, retry.delivery_id LIMIT 1) AS next
)
SELECT endpoint_id AS "endpointId", account_id AS "accountId" FROM waiting WHERE due_at <= $1;

-- name: findFresh :many
-- The endpoints of the next new deliveries, and the id of the last of these.
-- params: afterId, most
-- plan: once
SELECT endpoint_id AS "endpointId", account_id AS "accountId", max(id) AS "lastId", count(*) AS deliveries
FROM (
  SELECT id, endpoint_id, account_id FROM webhook_delivery WHERE id > $1 ORDER BY id LIMIT $2) AS fresh
GROUP BY endpoint_id, account_id;

-- name: holdLock :one
-- Holds the advisory lock of a dispatcher while the session is open. When it is free, others see that the process has died.
-- params: dispatcherId
SELECT pg_try_advisory_lock(72707376, $1) AS "isHeld";

-- name: holdRegistration :exec
-- Gives a row if the dispatcher is registered. It stays registered until the transaction ends.
-- params: dispatcherId
SELECT FROM webhook_dispatcher WHERE id = $1 FOR KEY SHARE;

-- name: leaseAccounts :many
-- Leases this dispatcher's share of the free accounts: those whose id gives `rank` when it is divided by `of`. Nobody leases
-- a suspended account, so its deliveries wait.
-- params: dispatcherId, rank, of
INSERT INTO webhook_lease (account_id, dispatcher_id)
SELECT DISTINCT endpoint.account_id, $1::int
FROM webhook_endpoint AS endpoint
WHERE endpoint.account_id % $3::int = $2::int
  AND NOT EXISTS (SELECT FROM account WHERE account.id = endpoint.account_id AND suspended_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM webhook_lease AS lease WHERE lease.account_id = endpoint.account_id)
ORDER BY 1
ON CONFLICT (account_id) DO NOTHING
RETURNING account_id AS "accountId";

-- name: leasedEndpoints :many
-- The endpoints of accounts, up to which delivery each is done, and whether failures of it are counted.
-- params: accountIds
SELECT endpoint.id, endpoint.account_id AS "accountId", coalesce(progress.done_to, 0) AS "doneTo",
  endpoint.failure_streak > 0 AS "hasStreak"
FROM webhook_endpoint AS endpoint
LEFT JOIN webhook_progress AS progress ON progress.endpoint_id = endpoint.id
WHERE endpoint.account_id = ANY ($1::int[])
ORDER BY endpoint.id;

-- name: limitIdle :exec
-- If the process is suspended in a transaction, the server ends the session after 3 s, and with it the lock of senders.
SELECT set_config('idle_in_transaction_session_timeout', '3s', false);

-- name: listDispatchers :many
-- The dispatchers: whether the last heartbeat of each was 20 s ago, and whether no session holds its lock. The lock is
-- tried for the length of this statement.
-- params: dispatcherId
SELECT id, seen_at <= clock_timestamp() - interval '20 seconds' AS "isSilent",
  CASE WHEN id <> $1 THEN pg_try_advisory_xact_lock(72707376, id) ELSE false END AS "isLockFree"
FROM webhook_dispatcher
ORDER BY id;

-- name: listLeases :many
-- params: dispatcherId
SELECT account_id AS "accountId" FROM webhook_lease WHERE dispatcher_id = $1;

-- name: loadCorrections :many
-- params: correctionIds
-- typed: kind CorrectionKind from ../../events/event-row.ts
-- typed: type EventType from ../../events/event-types.ts
-- typed: data EventData from ../../events/event-row.ts
-- plan: once
SELECT correction.id AS "correctionId", correction.kind, correction.corrected_at AS "correctedAt",
  event.id, event.type, event.country, event.usdot, event.docket, event.state, event.occurred_on, event.detected_at,
  event.source_dataset, event.verify_method, event.data
FROM event_correction AS correction JOIN visible_event AS event ON event.id = correction.event_id
WHERE correction.id = ANY ($1::bigint[]);

-- name: loadEvents :many
-- params: eventIds
-- typed: type EventType from ../../events/event-types.ts
-- typed: data EventData from ../../events/event-row.ts
-- plan: once
SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
FROM visible_event WHERE id = ANY ($1::bigint[]);

-- name: loadVisibility :many
-- Whether plans see events of types in states; one entry of the lists for each question.
-- params: planCodes, types, states[?], carriedTypes
-- plan: once
SELECT asked.number, EXISTS (SELECT FROM plan_sees_event(asked.plan_code, asked.type, asked.state, $4::text[])) AS "isVisible"
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (plan_code, type, state, number);

-- name: lockEndpoints :many
-- Locks endpoints, in one order.
-- params: endpointIds
SELECT id, url, active AS "isActive" FROM webhook_endpoint WHERE id = ANY ($1::int[]) ORDER BY id FOR NO KEY UPDATE;

-- name: newestDelivery :one
SELECT coalesce(max(id), 0) AS id FROM webhook_delivery;

-- name: openSendWindow :one
-- Takes the lock that senders hold together, until the transaction ends. Then reads the version of what decides about
-- deliveries, and whether the dispatcher is still registered.
-- params: dispatcherId
-- never null: version, isRegistered
-- plan: once
SELECT version, is_alive AS "isRegistered" FROM webhook_begin_section($1);

-- name: queueRetries :exec
-- Queues the next attempts of deliveries that failed.
-- params: deliveryIds, endpointIds, accountIds, dueAt, attempts, failures
INSERT INTO webhook_retry (delivery_id, endpoint_id, account_id, due_at, attempt, failures)
SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::timestamptz[], $5::int[], $6::int[])
ON CONFLICT (delivery_id) DO UPDATE
SET due_at = excluded.due_at, attempt = excluded.attempt, failures = excluded.failures;

-- name: readDue :many
-- Deliveries of endpoints that are to be tried again now. Comparing rows keeps the planner on the index of endpoints. `skipped` says how many more of each to read than `most`.
-- One that was cancelled and queued again while its first attempt was in flight was given that attempt's number.
-- params: endpointIds, skipped, isTest, now, most
-- never null: endpointId
-- typed: eventType DeliveredType from ../queue/delivered-type.ts
-- plan: once
SELECT asked.endpoint_id AS "endpointId", due.delivery_id AS id, delivery.event_id AS "eventId",
  delivery.correction_id AS "correctionId", delivery.change_id AS "changeId", delivery.test_number AS "testNumber", delivery.event_type AS "eventType", delivery.created_at AS "createdAt",
  due.due_at AS "dueAt", due.failures,
  greatest(due.attempt, (SELECT max(attempt) + 1 FROM webhook_result WHERE delivery_id = due.delivery_id)) AS attempt
FROM unnest($1::int[], $2::int[]) AS asked (endpoint_id, skipped)
CROSS JOIN LATERAL (
  SELECT retry.delivery_id, retry.due_at, retry.attempt, retry.failures FROM webhook_retry AS retry
  WHERE (retry.is_test, retry.endpoint_id) >= ($3::boolean, asked.endpoint_id)
    AND (retry.is_test, retry.endpoint_id, retry.due_at) <= ($3, asked.endpoint_id, $4::timestamptz)
  ORDER BY retry.is_test, retry.endpoint_id, retry.due_at, retry.delivery_id
  LIMIT $5::int + asked.skipped) AS due
JOIN webhook_delivery AS delivery ON delivery.id = due.delivery_id;

-- name: readFresh :many
-- The next deliveries of endpoints that wait for their first attempt, after a position for each. Only where `areChecked`
-- says so does it look whether they have a result already. Comparing rows keeps the planner on the index of endpoints.
-- params: endpointIds, afterIds, areChecked, most
-- never null: endpointId, isDone
-- typed: eventType DeliveredType from ../queue/delivered-type.ts
-- plan: once
SELECT asked.endpoint_id AS "endpointId", next.id, next.event_id AS "eventId", next.event_type AS "eventType",
  next.correction_id AS "correctionId", next.change_id AS "changeId", next.created_at AS "createdAt",
  asked.is_checked AND (EXISTS (SELECT FROM webhook_result WHERE delivery_id = next.id)
    OR EXISTS (SELECT FROM webhook_retry WHERE delivery_id = next.id)) AS "isDone"
FROM unnest($1::int[], $2::bigint[], $3::boolean[]) AS asked (endpoint_id, after_id, is_checked)
CROSS JOIN LATERAL (
  SELECT delivery.id, delivery.event_id, delivery.correction_id, delivery.change_id, delivery.event_type, delivery.created_at
  FROM webhook_delivery AS delivery
  WHERE (delivery.endpoint_id, delivery.id) > (asked.endpoint_id, asked.after_id)
    AND delivery.endpoint_id <= asked.endpoint_id AND NOT delivery.is_test
  ORDER BY delivery.endpoint_id, delivery.id
  LIMIT $4) AS next;

-- name: recordDelivered :one
-- Records first attempts that were accepted, while the dispatcher is registered. An attempt that is recorded already changes nothing.
-- Times are milliseconds since 1970; the signatures are one text of 32 bytes each. Gives whether it is registered.
-- params: dispatcherId, deliveryIds, endpointIds, startedMs, endedMs, durationsMs, httpStatuses, signatures
-- plan: once
WITH registration AS MATERIALIZED (SELECT true AS is_registered FROM webhook_dispatcher WHERE id = $1 FOR KEY SHARE),
recorded AS (
  INSERT INTO webhook_result (delivery_id, number, endpoint_id, attempt, started_at, duration_ms, http_status, signature,
    outcome, ended_at)
  SELECT ended.delivery_id, 1, ended.endpoint_id, 1, timestamptz 'epoch' + ended.started_ms * interval '1 ms',
    ended.duration_ms, ended.http_status, substr($8::bytea, 32 * ended.index::int - 31, 32), 'delivered',
    timestamptz 'epoch' + ended.ended_ms * interval '1 ms'
  FROM registration CROSS JOIN unnest($2::bigint[], $3::int[], $4::bigint[], $5::bigint[], $6::int[], $7::int[])
    WITH ORDINALITY AS ended (delivery_id, endpoint_id, started_ms, ended_ms, duration_ms, http_status, index)
  ON CONFLICT DO NOTHING
)
SELECT EXISTS (SELECT FROM registration) AS "isRegistered";

-- name: register :one
-- Registers a dispatcher. Its id is greater than that of every earlier one. Heartbeats are timed by the database's clock, as
-- the clocks of machines may differ.
INSERT INTO webhook_dispatcher (seen_at) VALUES (clock_timestamp()) RETURNING id;

-- name: releaseAccounts :exec
-- params: dispatcherId, accountIds
DELETE FROM webhook_lease WHERE dispatcher_id = $1 AND account_id = ANY ($2::int[]);

-- name: resetStreak :exec
-- Forgets the failures of an endpoint, which has accepted a delivery, unless it is paused.
-- params: endpointId
UPDATE webhook_endpoint SET failure_streak = 0 WHERE id = $1 AND failure_streak > 0 AND active;

-- name: saveProgress :exec
-- Saves up to which delivery endpoints are done, while the dispatcher is registered.
-- params: dispatcherId, endpointIds, doneTo
WITH registration AS MATERIALIZED (SELECT FROM webhook_dispatcher WHERE id = $1 FOR KEY SHARE)
INSERT INTO webhook_progress AS saved (endpoint_id, done_to)
SELECT progress.endpoint_id, progress.done_to
FROM registration CROSS JOIN unnest($2::int[], $3::bigint[]) AS progress (endpoint_id, done_to)
ORDER BY progress.endpoint_id
ON CONFLICT (endpoint_id) DO UPDATE SET done_to = excluded.done_to WHERE saved.done_to < excluded.done_to;

-- name: suspendedAccounts :many
SELECT id FROM account WHERE suspended_at IS NOT NULL;

-- name: unregister :exec
-- Unregisters a dispatcher: nothing more is recorded for it, and its accounts are free.
-- params: dispatcherId
DELETE FROM webhook_dispatcher WHERE id = $1;

-- name: unregisterDead :many
-- Unregisters dispatchers that are presumed dead: nothing more is recorded for them, and their accounts are free. A
-- dispatcher that has shown a heartbeat and holds its lock again stays.
-- params: dispatcherIds
DELETE FROM webhook_dispatcher
WHERE id = ANY ($1::int[])
  AND (seen_at <= clock_timestamp() - interval '20 seconds' OR pg_try_advisory_xact_lock(72707376, id))
RETURNING id;

-- name: waitingOf :many
-- When those of these deliveries that wait for another attempt are due, and how many have failed.
-- params: deliveryIds
SELECT delivery_id AS "deliveryId", due_at AS "dueAt", failures FROM webhook_retry WHERE delivery_id = ANY ($1::bigint[]);
