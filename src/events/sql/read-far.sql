-- name: readFar :many
-- The visible events of a scope after the last position that readNear reaches, in the form of readNear. Rare events are
-- looked up by type and state, so that no page reads all the events between. Only ids and USDOT numbers are read for that,
-- which the indexes hold. Equality is written as a range, in an order that only the right index has: for = the planner
-- would assume a type of average frequency and walk the primary key.
-- params: position, most, scope
-- plan: once
-- typed: type EventType from ./event-types.ts
-- typed: data EventData from ./event-row.ts
WITH scope AS MATERIALIZED (
  SELECT split_part(entry, ' ', 1) AS type, nullif(split_part(entry, ' ', 2), '') AS state
  FROM unnest($3::text[]) AS entry
),
page AS (
  SELECT hit.id
  FROM scope
  CROSS JOIN LATERAL (
    SELECT event.id FROM visible_event AS event
    WHERE (event.type, event.id) > (scope.type, $1::bigint) AND event.type <= scope.type
    ORDER BY event.type, event.id LIMIT $2::int) AS hit
  WHERE scope.state IS NULL
  UNION ALL
  SELECT hit.id
  FROM scope
  CROSS JOIN LATERAL (
    SELECT event.id FROM visible_event AS event
    WHERE (event.state, event.type, event.id) > (scope.state, scope.type, $1::bigint)
      AND (event.state, event.type) <= (scope.state, scope.type)
    ORDER BY event.state, event.type, event.id LIMIT $2::int) AS hit
  WHERE scope.state IS NOT NULL
  ORDER BY id
  LIMIT $2::int
)
SELECT newest.id AS newest_id, event_floor.deleted_up_to, event_floor.kept_since, event.*
FROM (SELECT max(id) AS id FROM event_position) AS newest
LEFT JOIN event_floor ON true
LEFT JOIN page ON true
-- The ids on the page are of visible events. OFFSET keeps this a lookup by id for each of them.
LEFT JOIN LATERAL (
  SELECT event.id, event.type, event.country, event.usdot, event.docket, event.state, event.occurred_on,
    event.detected_at, event.source_dataset, event.verify_method, event.data
  FROM event WHERE event.id = page.id OFFSET 0) AS event ON true
ORDER BY page.id;
