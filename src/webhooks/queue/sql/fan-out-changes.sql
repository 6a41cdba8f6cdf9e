-- name: fanOutChanges :one
-- Queues a delivery for each next change of a carrier and each endpoint that asks for changes and whose account watches the
-- carrier, and advances the cursor, as fanOut does for events. It looks at some thousand changes, and ends earlier, behind
-- all deliveries of one change, when these are many. The account has paid for what it watches this month.
-- params: now, month, mostChanges, mostDeliveries
-- plan: once
WITH
cursor AS MATERIALIZED (SELECT last_change_id FROM webhook_fan_out FOR NO KEY UPDATE SKIP LOCKED),
chunk AS MATERIALIZED (
  SELECT id, seen_at, usdot FROM carrier_change_position
  WHERE id > (SELECT last_change_id FROM cursor)
  ORDER BY id LIMIT $3::int
),
-- The endpoints that want changes of each carrier that changed. The lists are asked for each of these carriers; OFFSET keeps
-- the planner from reading all lists instead, which may have a million carriers.
watcher AS MATERIALIZED (
  SELECT DISTINCT change.usdot, endpoint.id AS endpoint_id, endpoint.account_id, account.plan_code,
    endpoint.after_change_id, endpoint.filter_states
  FROM (SELECT DISTINCT usdot FROM chunk) AS change
  CROSS JOIN LATERAL (
    SELECT watchlist_id FROM shown_watchlist_carrier AS listed WHERE listed.usdot = change.usdot OFFSET 0) AS listed
  JOIN watchlist ON watchlist.id = listed.watchlist_id
  JOIN watched_month AS paid ON paid.account_id = watchlist.account_id AND paid.month >= $2::date
  JOIN webhook_endpoint AS endpoint ON endpoint.account_id = watchlist.account_id AND endpoint.active AND endpoint.changes
    AND (endpoint.filter_watchlists IS NULL OR watchlist.id = ANY (endpoint.filter_watchlists))
    AND (endpoint.filter_usdots IS NULL
      OR endpoint.filter_usdots[width_bucket(change.usdot, endpoint.filter_usdots)] = change.usdot)
  JOIN account ON account.id = endpoint.account_id
),
watched AS MATERIALIZED (
  SELECT change.id, change.seen_at, watcher.*
  FROM chunk AS change JOIN watcher ON watcher.usdot = change.usdot AND watcher.after_change_id < change.id
  ORDER BY change.id FETCH FIRST ($4::int) ROWS WITH TIES
),
-- Many may watch a carrier: whether its change is visible, and in which state it is, is found once for all of them.
visible AS MATERIALIZED (
  SELECT change.id, filed_state(change.usdot) AS state
  FROM (SELECT DISTINCT id, seen_at, usdot FROM watched) AS change
  WHERE EXISTS (SELECT FROM visible_carrier_change AS shown WHERE shown.id = change.id AND shown.seen_at = change.seen_at)
),
-- Which plans watch in which of these states, asked once for each.
sight AS MATERIALIZED (
  SELECT plan_code, coalesce(state, '') AS state
  FROM (SELECT DISTINCT plan_code FROM watched) AS customer CROSS JOIN (SELECT DISTINCT state FROM visible) AS place
  WHERE plan_watches(plan_code, state)
),
-- CASE keeps sight a table that is looked up: joined, it would be read for each of them.
matched AS MATERIALIZED (
  SELECT change.id, change.endpoint_id, change.account_id
  FROM watched AS change
  JOIN visible USING (id)
  WHERE CASE WHEN (change.plan_code, coalesce(visible.state, '')) IN (SELECT plan_code, state FROM sight)
    THEN change.filter_states IS NULL OR visible.state = ANY (change.filter_states) END
),
reached AS (
  SELECT CASE WHEN (SELECT count(*) FROM watched) >= $4 THEN (SELECT max(id) FROM watched)
    ELSE (SELECT max(id) FROM chunk) END AS last_id
),
queued AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, change_id, event_type, created_at)
  SELECT endpoint_id, account_id, id, 'carrier_change', $1::timestamptz FROM matched ORDER BY id, endpoint_id
  RETURNING 1
),
moved AS (
  UPDATE webhook_fan_out SET last_change_id = reached.last_id FROM reached WHERE reached.last_id IS NOT NULL
  RETURNING 1
)
SELECT (SELECT count(*) FROM chunk) AS taken, (SELECT count(*) FROM queued) AS deliveries;
