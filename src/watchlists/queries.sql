-- name: lockAccount :exec
-- Until the caller's transaction ends, no other one changes the account's lists or what it paid for them.
-- params: accountId
SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE;

-- name: listsOf :many
-- The lists of an account, oldest first, or one of them.
-- params: accountId, watchlistId?
-- plan: once
SELECT id, name, description, created_at AS "createdAt",
  (SELECT count(*)::int FROM shown_watchlist_carrier WHERE watchlist_id = watchlist.id) AS carriers
FROM watchlist WHERE account_id = $1 AND ($2::int IS NULL OR id = $2) ORDER BY id;

-- name: ownLists :many
-- Those of these ids that are lists of the account.
-- params: accountId, watchlistIds
SELECT id FROM watchlist WHERE account_id = $1 AND id = ANY ($2::bigint[]);

-- name: countWatched :one
-- Carriers on the account's lists, each once.
-- params: accountId
SELECT count(DISTINCT usdot)::int AS count
FROM watchlist JOIN shown_watchlist_carrier ON watchlist_id = watchlist.id WHERE account_id = $1;

-- name: watchable :many
-- Those of these numbers whose carriers may be watched: they have, had or applied for an authority and are in one of the
-- states (null: any).
-- params: usdots, states?
-- plan: once
SELECT asked.usdot FROM unnest($1::int[]) AS asked (usdot)
WHERE EXISTS (SELECT FROM authority WHERE authority.usdot = asked.usdot)
  AND NOT EXISTS (SELECT FROM removal_list_business AS removed WHERE removed.usdot = asked.usdot)
  AND ($2::text[] IS NULL OR filed_state(asked.usdot) = ANY ($2));

-- name: listedOf :many
-- Those of these numbers whose carriers are on a list.
-- params: watchlistId, usdots
-- plan: once
SELECT usdot FROM shown_watchlist_carrier WHERE watchlist_id = $1 AND usdot = ANY ($2::int[]);

-- name: watchedOf :many
-- Those of these numbers whose carriers are on the account's lists, or on one of them.
-- params: accountId, watchlistId?, usdots
-- plan: once
SELECT DISTINCT usdot FROM watchlist JOIN shown_watchlist_carrier ON watchlist_id = watchlist.id
WHERE account_id = $1 AND ($2::int IS NULL OR watchlist_id = $2) AND usdot = ANY ($3::int[]);

-- name: addCarriers :exec
-- Returns how many were not on the list.
-- params: watchlistId, usdots, now
INSERT INTO watchlist_carrier (watchlist_id, usdot, added_at)
SELECT $1, usdot, $3::timestamptz FROM unnest($2::int[]) AS asked (usdot) ON CONFLICT DO NOTHING;

-- name: removeCarriers :exec
-- params: watchlistId, usdots
DELETE FROM watchlist_carrier WHERE watchlist_id = $1 AND usdot = ANY ($2::int[]);

-- name: removeOthers :exec
-- params: watchlistId, usdots
DELETE FROM watchlist_carrier WHERE watchlist_id = $1 AND usdot <> ALL ($2::int[]);

-- name: pageOfCarriers :many
-- The carriers of a list after a USDOT number, with their names and states as the registry has them.
-- params: watchlistId, after, most
-- plan: once
SELECT listed.usdot, listed.added_at AS "addedAt", filed_state(listed.usdot) AS state,
  coalesce(
    (SELECT legal_name FROM census WHERE census.usdot = listed.usdot),
    (SELECT registry_name FROM authority WHERE authority.usdot = listed.usdot
     ORDER BY status = 'active' DESC, status_source = 'motus' DESC, docket, authority_class LIMIT 1)) AS company
FROM (
  SELECT usdot, added_at FROM shown_watchlist_carrier WHERE watchlist_id = $1 AND usdot > $2
  ORDER BY usdot LIMIT $3::int) AS listed
ORDER BY listed.usdot;

-- name: payForMonth :exec
-- Notes for each carrier on the account's lists, or only for these, that the account pays for it in the month. Returns how
-- many it had not paid for.
-- params: accountId, month, usdots?
-- plan: once
INSERT INTO watched_carrier AS paid (account_id, usdot, month)
SELECT DISTINCT $1::int, usdot, $2::date
FROM watchlist JOIN shown_watchlist_carrier ON watchlist_id = watchlist.id
WHERE account_id = $1 AND ($3::int[] IS NULL OR usdot = ANY ($3))
ON CONFLICT (account_id, usdot) DO UPDATE SET month = excluded.month WHERE paid.month < excluded.month;

-- name: notePaidMonth :exec
-- params: accountId, month
INSERT INTO watched_month AS paid (account_id, month) VALUES ($1, $2)
ON CONFLICT (account_id) DO UPDATE SET month = greatest(paid.month, excluded.month);

-- name: forgetPaid :exec
-- What the account paid in months before, of carriers that it no longer watches.
-- params: accountId, month
DELETE FROM watched_carrier WHERE account_id = $1 AND month < $2;

-- name: paidMonth :one?
-- The newest month for which the account paid for all carriers on its lists. No row: it never had any.
-- params: accountId
SELECT month FROM watched_month WHERE account_id = $1;

-- name: accountsToPay :many
-- Open accounts that did not pay for their carriers in this month.
-- params: month
SELECT account_id FROM watched_month JOIN account ON account.id = account_id
WHERE month < $1 AND closed_at IS NULL ORDER BY account_id;

-- name: deleteListsOf :exec
-- params: accountId
DELETE FROM watchlist WHERE account_id = $1;

-- name: forgetAccount :exec
-- params: accountId
WITH months AS (DELETE FROM watched_month WHERE account_id = $1)
DELETE FROM watched_carrier WHERE account_id = $1;

-- name: insertList :one
-- params: accountId, name, description?, now
INSERT INTO watchlist (account_id, name, description, created_at) VALUES ($1, $2, $3, $4) RETURNING id;

-- name: findList :one?
-- Locked, so that nobody deletes it meanwhile.
-- params: accountId, watchlistId
SELECT id FROM watchlist WHERE id = $2 AND account_id = $1 FOR UPDATE;
