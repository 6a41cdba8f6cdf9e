-- An endpoint of an account as customers see it. $1: endpoint. $2: account.
SELECT id, url, description, event_types AS "eventTypes", active, failure_streak AS "failureStreak",
  disabled_reason AS "disabledReason", secret_prefix AS "secretPrefix", created_at AS "createdAt",
  filter_states AS "filterStates", filter_usdots AS "filterUsdots", filter_authority_types AS "filterAuthorityTypes",
  trucks_min AS "trucksMin", trucks_max AS "trucksMax", payload, honor_retry_after AS "honorRetryAfter",
  previous_secret_until AS "previousSecretUntil"
FROM webhook_endpoint
WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL
