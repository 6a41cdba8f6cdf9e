-- name: countActive :one
-- params: accountId
SELECT count(*) AS count FROM webhook_endpoint WHERE account_id = $1 AND active;

-- name: countFailure :one?
-- Counts a failed delivery against its endpoint, unless that is paused.
-- params: endpointId
UPDATE webhook_endpoint SET failure_streak = failure_streak + 1
WHERE id = $1 AND active
RETURNING failure_streak AS streak, url, account_id AS "accountId";

-- name: deleteEndpoint :exec
-- params: endpointId, accountId, now
UPDATE webhook_endpoint
SET deleted_at = $3, active = false, paused_at = coalesce(paused_at, $3), secret_sealed = '',
  previous_secret_sealed = NULL, previous_secret_until = NULL
WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL;

-- name: enableEndpoint :exec
-- Makes an endpoint active for the events and changes that come from now on.
-- params: endpointId
UPDATE webhook_endpoint
SET active = true, failure_streak = 0, disabled_reason = NULL, paused_at = NULL,
  after_event_id = (SELECT coalesce(max(id), 0) FROM event_position),
  after_change_id = (SELECT coalesce(max(id), 0) FROM carrier_change_position)
WHERE id = $1;

-- part: endpointColumns
-- What customers see of an endpoint.
id, url, description, event_types AS "eventTypes", active, failure_streak AS "failureStreak",
  disabled_reason AS "disabledReason", secret_prefix AS "secretPrefix", created_at AS "createdAt",
  filter_states AS "filterStates", filter_usdots AS "filterUsdots", filter_authority_types AS "filterAuthorityTypes",
  trucks_min AS "trucksMin", trucks_max AS "trucksMax", filter_watchlists AS "filterWatchlists", payload,
  honor_retry_after AS "honorRetryAfter", corrections, changes, previous_secret_until AS "previousSecretUntil"

-- name: deleteEndpointsOf :many
-- Deletes every endpoint of an account.
-- params: accountId, now
UPDATE webhook_endpoint
SET deleted_at = $2, active = false, paused_at = coalesce(paused_at, $2), secret_sealed = '',
  previous_secret_sealed = NULL, previous_secret_until = NULL
WHERE account_id = $1 AND deleted_at IS NULL
RETURNING id;

-- name: endpointHealth :many
-- Outcomes of the newest deliveries of an account's endpoints, or of one of them: counts since a time, and when the receiver
-- last accepted and last refused one, tests included.
-- params: accountId, since, most, endpointId?
SELECT endpoint.id AS "endpointId", recent.*
FROM webhook_endpoint AS endpoint
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE status = 'delivered' AND counts) AS delivered,
    count(*) FILTER (WHERE status = 'failed' AND counts) AS failed,
    count(*) FILTER (WHERE status = 'failed' AND is_test AND created_at > $2) AS "failedTests",
    count(*) FILTER (WHERE status = 'cancelled' AND counts) AS cancelled,
    count(*) FILTER (WHERE status = 'queued' AND counts) AS waiting,
    count(*) FILTER (WHERE status = 'queued' AND failures > 0 AND counts) AS retrying,
    max(finished_at) FILTER (WHERE status = 'delivered' AND counts) AS "lastDeliveredAt",
    max(finished_at) FILTER (WHERE status = 'delivered') AS "lastAcceptedAt",
    max(finished_at) FILTER (WHERE status = 'failed') AS "lastRefusedAt"
  FROM (SELECT status, failures, finished_at, is_test, created_at, NOT is_test AND created_at > $2 AS counts
        FROM webhook_delivery_state WHERE endpoint_id = endpoint.id ORDER BY id DESC LIMIT $3) AS newest) AS recent
WHERE endpoint.account_id = $1 AND endpoint.deleted_at IS NULL AND ($4::bigint IS NULL OR endpoint.id = $4);

-- name: findOwn :exec
-- Gives a row when the account has this endpoint.
-- params: endpointId, accountId
SELECT FROM webhook_endpoint WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL;

-- name: findOwner :one?
-- params: endpointId
SELECT account_id FROM webhook_endpoint WHERE id = $1::bigint AND deleted_at IS NULL;

-- name: insertEndpoint :exec
-- Registers an endpoint for the events and changes that come from now on.
-- params: id, accountId, url, description?, eventTypes, secretSealed, secretPrefix, createdAt
-- params: states?, usdots?, authorityTypes?, trucksMin?, trucksMax?, payload, honorRetryAfter
-- params: corrections, watchlists?, changes, madeBy?
INSERT INTO webhook_endpoint (id, account_id, url, description, event_types, secret_sealed, secret_prefix,
  created_at, after_event_id, filter_states, filter_usdots, filter_authority_types, trucks_min, trucks_max, payload,
  honor_retry_after, corrections, filter_watchlists, changes, after_change_id, made_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, (SELECT coalesce(max(id), 0) FROM event_position), $9, $10, $11, $12, $13, $14,
  $15, $16, $17, $18, (SELECT coalesce(max(id), 0) FROM carrier_change_position), $19);

-- name: listEvery :many
-- The endpoints of one account or of all, oldest first, with how many deliveries are queued for each.
-- params: accountId?
-- never null: eventTypes
-- typed: payload Payload from ./filters.ts
-- typed: eventTypes EventType[] from ../../events/event-types.ts
SELECT account_id AS "accountId",
  (SELECT count(*) FROM webhook_retry AS retry WHERE retry.endpoint_id = endpoint.id) + (
   SELECT count(*) FROM (
-- include: ../queue/unfinished
   ) AS waiting) AS queued,
-- include: endpointColumns
FROM webhook_endpoint AS endpoint
WHERE deleted_at IS NULL AND ($1::integer IS NULL OR account_id = $1)
ORDER BY id;

-- name: lockEndpoint :one?
-- params: endpointId, accountId
-- never null: eventTypes
-- typed: payload Payload from ./filters.ts
-- typed: eventTypes EventType[] from ../../events/event-types.ts
SELECT
-- include: endpointColumns
FROM webhook_endpoint
WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL
FOR NO KEY UPDATE;

-- name: lockState :one?
-- Reads and locks the state of an endpoint; no row when it was deleted.
-- params: endpointId, carriedTypes
SELECT endpoint.active AS "isActive", endpoint.disabled_reason AS "disabledReason",
  EXISTS (
    SELECT FROM unnest(endpoint.event_types) AS event_type
    CROSS JOIN plan_event_feed(account.plan_code, event_type, $2::text[])) AS "isInPlan"
FROM webhook_endpoint AS endpoint
JOIN account ON account.id = endpoint.account_id
WHERE endpoint.id = $1 AND endpoint.deleted_at IS NULL
FOR NO KEY UPDATE OF endpoint;

-- name: nextEndpointId :one
SELECT nextval('webhook_endpoint_id_seq') AS id;

-- name: pausedByReason :many
-- How many endpoints are paused, by reason, and those among them that were paused since a time.
-- params: since
SELECT disabled_reason AS reason, count(*) AS endpoints, count(*) FILTER (WHERE paused_at > $1) AS lately
FROM webhook_endpoint WHERE NOT active AND deleted_at IS NULL AND disabled_reason IS NOT NULL
GROUP BY disabled_reason;

-- name: pauseEndpoint :exec
-- An operator's pause also replaces another reason, so that only operators end it.
-- params: endpointId, reason, now
UPDATE webhook_endpoint SET active = false, disabled_reason = $2, paused_at = coalesce(paused_at, $3)
WHERE id = $1 AND deleted_at IS NULL AND (active OR $2 = 'paused_by_operator' AND disabled_reason <> $2);

-- name: rotateSecret :exec
-- Replaces a secret. The old one is kept until a time, or not at all.
-- params: endpointId, accountId, sealed, prefix, previousUntil?
UPDATE webhook_endpoint
SET secret_sealed = $3, secret_prefix = $4, previous_secret_until = $5,
  previous_secret_sealed = CASE WHEN $5::timestamptz IS NOT NULL THEN secret_sealed END
WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL;

-- name: troubledEndpoints :many
-- The endpoints of all accounts whose deliveries fail, or that are paused, those in trouble last first. Each row says how many
-- they are in all.
-- params: most
SELECT endpoint.id, account_id AS "accountId", account.name AS "accountName", active AS "isActive",
  failure_streak AS "failureStreak", disabled_reason AS "disabledReason", paused_at AS "pausedAt",
  (count(*) OVER ())::int AS all
FROM webhook_endpoint AS endpoint JOIN account ON account.id = account_id
WHERE deleted_at IS NULL AND (NOT active OR failure_streak > 0)
ORDER BY paused_at DESC NULLS LAST, endpoint.id DESC LIMIT $1;

-- name: updateEndpoint :exec
-- Changes an endpoint. Another address resets the streak of failures. Once it asks for changes, it gets those that come.
-- params: id, url, description?, eventTypes, states?, usdots?, authorityTypes?, trucksMin?, trucksMax?, payload
-- params: honorRetryAfter, corrections, watchlists?, changes
UPDATE webhook_endpoint
SET url = $2, description = $3, event_types = $4,
  failure_streak = CASE WHEN url = $2 THEN failure_streak ELSE 0 END,
  filter_states = $5, filter_usdots = $6, filter_authority_types = $7, trucks_min = $8, trucks_max = $9, payload = $10,
  honor_retry_after = $11, corrections = $12, filter_watchlists = $13, changes = $14,
  after_change_id = CASE WHEN $14 AND NOT changes THEN (SELECT coalesce(max(id), 0) FROM carrier_change_position)
    ELSE after_change_id END
WHERE id = $1;
