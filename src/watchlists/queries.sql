-- name: listsOf :many
-- The lists of an account, oldest first, or one of them.
-- params: accountId, watchlistId?
-- plan: once
SELECT id, name, description, created_at AS "createdAt",
  (SELECT count(*)::int FROM shown_watchlist_carrier WHERE watchlist_id = watchlist.id) AS carriers
FROM watchlist WHERE account_id = $1 AND ($2::bigint IS NULL OR id = $2) ORDER BY id;

-- name: ownLists :many
-- Those of these ids that are lists of the account.
-- params: accountId, watchlistIds
SELECT id FROM watchlist WHERE account_id = $1 AND id = ANY ($2::bigint[]);

-- name: countsOf :one
-- Carriers on the account's lists, each once, and on one of them; and the newest month for which the account paid for all of
-- them, null if it never had any.
-- params: accountId, watchlistId?
-- plan: once
SELECT count(DISTINCT usdot)::int AS watched, (count(*) FILTER (WHERE watchlist_id = $2::int))::int AS carriers,
  (SELECT month FROM watched_month WHERE account_id = $1) AS "paidMonth"
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

-- name: listsWith :many
-- The account's lists that have a carrier.
-- params: accountId, usdot
SELECT id, name FROM watchlist JOIN shown_watchlist_carrier ON watchlist_id = watchlist.id
WHERE account_id = $1 AND usdot = $2 ORDER BY id;

-- name: addCarriers :exec
-- Returns how many were not on the list.
-- params: watchlistId, usdots, now
INSERT INTO watchlist_carrier (watchlist_id, usdot, added_at)
SELECT $1, usdot, $3::timestamptz FROM unnest($2::int[]) AS asked (usdot) ON CONFLICT DO NOTHING;

-- name: removeCarriers :exec
-- params: watchlistId, usdots
DELETE FROM watchlist_carrier WHERE watchlist_id = $1 AND usdot = ANY ($2::int[]);

-- name: removeOthers :exec
-- Removed businesses stay: they are not shown, and come back to the list when their removal is undone.
-- params: watchlistId, usdots
DELETE FROM watchlist_carrier AS listed WHERE watchlist_id = $1 AND usdot <> ALL ($2::int[])
  AND NOT EXISTS (SELECT FROM removal_list_business AS removed WHERE removed.usdot = listed.usdot);

-- name: emptyList :exec
-- params: watchlistId
DELETE FROM watchlist_carrier WHERE watchlist_id = $1;

-- name: pageOfCarriers :many
-- The carriers of a list after a USDOT number, with their names and states as the registry has them.
-- params: watchlistId, after, most
-- plan: once
SELECT listed.usdot, listed.added_at AS "addedAt", filed_state(listed.usdot) AS state,
  filed_name(listed.usdot) AS company
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

-- name: accountsToPay :many
-- Open accounts that did not pay for their carriers in this month.
-- params: month
SELECT account_id FROM watched_month JOIN account ON account.id = account_id
WHERE month < $1 AND closed_at IS NULL ORDER BY account_id;

-- name: deleteList :exec
-- params: id
DELETE FROM watchlist WHERE id = $1;

-- name: updateList :exec
-- params: id, name, description?
UPDATE watchlist SET name = $2, description = $3 WHERE id = $1;

-- name: deleteListsOf :exec
-- params: accountId
DELETE FROM watchlist WHERE account_id = $1;

-- name: forgetAccount :exec
-- params: accountId
WITH months AS (DELETE FROM watched_month WHERE account_id = $1),
mails AS (DELETE FROM watch_mail WHERE account_id = $1)
DELETE FROM watched_carrier WHERE account_id = $1;

-- name: insertList :one?
-- No row when the account, which is locked, has `most` lists already.
-- params: accountId, name, description?, now, most, madeBy?
INSERT INTO watchlist (account_id, name, description, created_at, made_by)
SELECT $1::int, $2::text, $3::text, $4::timestamptz, $6::text
WHERE (SELECT count(*) FROM watchlist WHERE account_id = $1) < $5::int
RETURNING id;

-- name: lockList :one?
-- A list of the account. Until the transaction ends nobody deletes it, and no other one changes the account's lists or what it
-- paid for them.
-- params: accountId, watchlistId
SELECT list.id, list.name, list.description FROM account JOIN watchlist AS list ON list.account_id = account.id
WHERE account.id = $1 AND list.id = $2::bigint FOR NO KEY UPDATE;

-- name: startMail :exec
-- Starts the daily mail of an account after a change and a day of the registry, unless the account has it already.
-- params: accountId, lastChangeId, asOf?
INSERT INTO watch_mail (account_id, last_change_id, mailed_as_of) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;

-- name: stopMail :exec
-- params: accountId
DELETE FROM watch_mail WHERE account_id = $1;

-- name: mailsDue :many
-- Accounts that may get the mail of this day of the registry.
-- params: asOf
SELECT account_id AS "accountId", last_change_id AS "lastChangeId"
FROM watch_mail JOIN account ON account.id = account_id
WHERE (mailed_as_of IS NULL OR mailed_as_of < $1) AND closed_at IS NULL AND suspension IS NULL ORDER BY account_id;

-- name: moveMail :exec
-- Moves an account on to a change and a day, if nobody did since it was at `from`.
-- params: accountId, from, lastChangeId, asOf
UPDATE watch_mail SET last_change_id = $3, mailed_as_of = $4
WHERE account_id = $1 AND last_change_id = $2 AND (mailed_as_of IS NULL OR mailed_as_of < $4);
