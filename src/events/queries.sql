-- name: correctionPosition :one?
-- The start of every request for corrections, as `position` is for events: the highest id ever assigned, the newest one
-- that readers see, and the position after which the corrections since a time (milliseconds since 1970) begin.
-- params: sinceMs
SELECT
  installation.instance_id AS "instanceId",
  sequence.last_value AS "lastId",
  coalesce((SELECT max(id) FROM event_correction), 0) AS "newestId",
  coalesce(
    (SELECT id - 1 FROM event_correction
     WHERE corrected_at >= to_timestamp($1::float8 / 1000)
     ORDER BY corrected_at, id LIMIT 1),
    (SELECT max(id) FROM event_correction),
    0) AS "sincePosition"
FROM installation CROSS JOIN event_correction_id_seq AS sequence;

-- name: countByDay :many
-- How many visible events of a scope (see scope_has_event) were detected on each day (UTC) since a time, by type. The index
-- (detected_at, id) bounds it.
-- params: scope, since
-- typed: type EventType from ./event-types.ts
SELECT (detected_at AT TIME ZONE 'UTC')::date AS day, type, count(*) AS count
FROM visible_event
WHERE detected_at >= $2 AND scope_has_event($1::text[], type, state, account_id)
GROUP BY day, type;

-- name: countMade :one
-- How many events an account made since a time.
-- params: accountId, since
SELECT count(*) AS count FROM event WHERE account_id = $1::int AND detected_at >= $2;

-- name: forgetMade :exec
-- Deletes the events that an account made before a time; no delivery of them is left.
-- params: accountId, before
DELETE FROM event WHERE account_id = $1::int AND detected_at < $2;

-- name: makeEvent :one?
-- Makes an event of an account about a company of test mode; no row if there is no such company. detected_at grows with the
-- ids, even after the clock was set back.
-- params: accountId, type, usdot, now, sourceDataset, verifyMethod, details
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
INSERT INTO event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity, account_id)
SELECT $2, 'US', authority.usdot, shown_docket(authority.docket), authority.authority_class,
  coalesce(census.state, authority.registry_state), ($4::timestamptz AT TIME ZONE 'UTC')::date,
  greatest($4, (SELECT detected_at FROM event_position ORDER BY id DESC LIMIT 1)), $5, $6,
  jsonb_build_object(
    'legal_name', coalesce(census.legal_name, authority.registry_name), 'authority_type', authority.authority_class,
    'effective_date', ($4 AT TIME ZONE 'UTC')::date) || $7::jsonb,
  concat_ws('|', 'made', $1::int, gen_random_uuid()), $1
FROM authority LEFT JOIN census USING (usdot)
WHERE authority.usdot = $3
  AND NOT EXISTS (SELECT FROM removal_list_business AS removed WHERE removed.usdot = authority.usdot)
ORDER BY authority.docket, authority.authority_class DESC LIMIT 1
RETURNING id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data;

-- name: newestDay :many
-- How many visible events of each type were detected on the newest day (UTC) that has one. No row when there is no event.
-- typed: type EventType from ./event-types.ts
WITH newest AS (
  SELECT date_trunc('day', detected_at, 'UTC') AS "start"
  FROM visible_event
  ORDER BY id DESC
  LIMIT 1
)
SELECT (newest."start" AT TIME ZONE 'UTC')::date AS day, event.type, count(*)::int AS count
FROM newest
JOIN visible_event AS event ON event.detected_at >= newest."start"
GROUP BY newest."start", event.type;

-- name: newestDetection :one?
SELECT finished_at AS "finishedAt", as_of AS "asOf" FROM detection;

-- name: newest :many
-- The newest visible events of a scope (see scope_has_event), newest first; only of one business and only with a lower id
-- than `before`, unless these are null.
-- params: scope, usdot?, before?, most
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
FROM visible_event
WHERE scope_has_event($1::text[], type, state, account_id)
  AND ($2::int IS NULL OR usdot = $2) AND ($3::bigint IS NULL OR id < $3)
ORDER BY id DESC
LIMIT $4::int;

-- name: newestOfBusinesses :many
-- The newest visible events of a scope of each of these businesses, newest first.
-- params: usdots, scope, most
-- plan: once
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT event.* FROM unnest((SELECT $1::int[])) AS asked (usdot) CROSS JOIN LATERAL (
  SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
  FROM visible_event
  WHERE visible_event.usdot = asked.usdot AND scope_has_event($2::text[], type, state, account_id)
  ORDER BY id DESC
  LIMIT (SELECT $3::int)) AS event
ORDER BY event.id DESC;

-- name: nextNumber :one
SELECT nextval('event_id_seq') AS number;

-- name: position :one?
-- The start of every request for events: the installation that cursors are valid for, the newest detection, the highest
-- id ever assigned, and the position after which the events since a time (milliseconds since 1970) begin. The index
-- (detected_at, id) finds that position in one step. Ids and detected_at grow together, because one importer at a time
-- writes events. Null: no such position. Then what tells whether events are still as they were: what writes, changes or
-- deletes some also changes the newest id, the row of the detection, the corrections or the floor.
-- params: sinceMs?
-- plan: once
SELECT
  installation.instance_id AS "instanceId",
  detection.finished_at AS "finishedAt",
  detection.as_of AS "asOf",
  sequence.last_value AS "lastId",
  coalesce(
    (SELECT id - 1 FROM event_position
     WHERE $1::float8 IS NOT NULL AND detected_at >= to_timestamp($1::float8 / 1000)
     ORDER BY detected_at, id LIMIT 1),
    newest.id,
    0) AS "sincePosition",
  coalesce(newest.id, 0) AS "newestId",
  event_floor.deleted_up_to AS "deletedUpTo",
  event_floor.kept_since AS "keptSince",
  removal_list_state.state AS "listState",
  -- After a failover ids and transactions may repeat.
  concat_ws(' ', coalesce(newest.id, 0), coalesce(detection.xmin::text, '-'), coalesce(detection.finished_at::text, '-'),
    coalesce((SELECT max(id) FROM event_correction), 0), coalesce(event_floor.deleted_up_to, 0)) AS "eventsState"
FROM installation
CROSS JOIN event_id_seq AS sequence
CROSS JOIN (SELECT max(id) AS id FROM event_position) AS newest
CROSS JOIN removal_list_state
LEFT JOIN detection ON true
LEFT JOIN event_floor ON true;

-- name: readAll :many
-- Events after a position up to an id, ascending, those of removed businesses among them.
-- params: position, upTo, most
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
FROM event WHERE id > $1::bigint AND id <= $2::bigint
ORDER BY id LIMIT $3::int;

-- name: removedBusinesses :many
SELECT usdot FROM removal_list_business;

-- name: readOfBusinesses :many
-- The visible events of a scope and of some businesses after a position, in the form of readNear. Each business is looked
-- up by itself, so that no page reads all the events between.
-- params: position, most, scope, usdots
-- plan: once
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT newest.id AS newest_id, event_floor.deleted_up_to, event_floor.kept_since, event.*
FROM (SELECT max(id) AS id FROM event_position) AS newest
LEFT JOIN event_floor ON true
LEFT JOIN (
  SELECT own.*
  FROM unnest($4::int[]) AS asked (usdot) CROSS JOIN LATERAL (
    SELECT id, type, country, event.usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
    FROM visible_event AS event
    WHERE event.usdot = asked.usdot AND id > $1::bigint AND scope_has_event($3::text[], type, state, account_id)
    ORDER BY id LIMIT $2::int) AS own
  ORDER BY own.id LIMIT $2::int) AS event ON true
ORDER BY event.id;

-- name: readOfWatchlist :many
-- The visible events of a scope and of the carriers on a list of the account, or of some of these, among the next `reach`
-- after a position, in the form of readNear.
-- params: position, reach, most, scope, accountId, watchlistId, usdots?
-- plan: once
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT newest.id AS newest_id, event_floor.deleted_up_to, event_floor.kept_since, event.*
FROM (SELECT max(id) AS id FROM event_position) AS newest
LEFT JOIN event_floor ON true
LEFT JOIN (
  SELECT id, type, country, event.usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
  FROM visible_event AS event
  WHERE id > $1::bigint AND id <= $1::bigint + $2::int AND scope_has_event($4::text[], type, state, account_id)
    AND usdot IN (
      SELECT listed.usdot FROM watchlist JOIN shown_watchlist_carrier AS listed ON watchlist_id = watchlist.id
      WHERE account_id = $5 AND watchlist.id = $6 AND ($7::int[] IS NULL OR listed.usdot = ANY ($7)))
  ORDER BY id LIMIT $3::int) AS event ON true
ORDER BY event.id;

-- name: readNear :many
-- The visible events of a scope among the next `reach` after a position, ascending by id. Each row also has the newest id
-- of all events, and what is known of events that no longer exist; if there is no event, there is one row of nulls with
-- these. All come from one snapshot, and ids commit in order, so a reader that continues after the newest id misses
-- nothing. The scope is as scope_has_event takes it.
-- params: position, reach, most, scope
-- plan: once
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT newest.id AS newest_id, event_floor.deleted_up_to, event_floor.kept_since, event.*
FROM (SELECT max(id) AS id FROM event_position) AS newest
LEFT JOIN event_floor ON true
LEFT JOIN (
  SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
  FROM visible_event
  WHERE id > $1::bigint AND id <= $1::bigint + $2::int AND scope_has_event($4::text[], type, state, account_id)
  ORDER BY id
  LIMIT $3::int) AS event ON true
ORDER BY event.id;

-- name: readOne :one?
-- params: eventId, scope
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
FROM visible_event AS event
WHERE id = $1::bigint AND scope_has_event($2::text[], event.type, event.state, event.account_id);

-- name: readCorrections :many
-- One page of corrections of visible events after a position, ascending by id. They are few, so no index knows types.
-- params: position, most, scope
-- typed: kind CorrectionKind from ./event-row.ts
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
SELECT correction.id AS correction_id, correction.kind, correction.corrected_at,
  event.id, event.type, event.country, event.usdot, event.docket, event.state, event.occurred_on, event.detected_at,
  event.source_dataset, event.verify_method, event.data
FROM event_correction AS correction
JOIN visible_event AS event ON event.id = correction.event_id
WHERE correction.id > $1::bigint AND scope_has_event($3::text[], event.type, event.state, event.account_id)
ORDER BY correction.id
LIMIT $2::int;
