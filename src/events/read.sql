-- One page of events behind a position, ascending by id, and beside each row (one of nulls where there is no event) the
-- newest id of all: both are seen in one snapshot, and ids commit in order, so that whoever goes on behind that id
-- misses nothing. $1: the position. $2: how many. $3: types seen everywhere. $4, $5: types and the states they are
-- seen in, at the same place of both lists. Events of businesses on the removal list are passed over as if they were not
-- there; the newest id counts them, as nobody has to read them again. They are asked for row by row, when all else holds,
-- so that a long list costs no more than a short one, and in a way of which the planner thinks that nearly all rows
-- pass: of NOT IN it thinks that half of them do, and then sorts what has an order.
WITH
-- Most pages are full after few of the next events, whatever the filter.
near AS MATERIALIZED (
  SELECT event.id FROM event
  WHERE event.id > $1::bigint AND event.id <= $1::bigint + 10000
    AND (event.type = ANY ($3::text[])
      OR (event.type, event.state) IN (SELECT * FROM unnest($4::text[], $5::text[])))
    AND nullif(event.usdot, (SELECT usdot FROM suppressed_business AS removed WHERE removed.usdot = event.usdot)) IS NOT NULL
  ORDER BY event.id
  LIMIT $2::int
),
-- What is rare is looked up by type and state, so that no page has to go through all the events between. Ids and USDOT
-- numbers only, so that the indexes alone answer it. "Equal" is said as "from here to the end of it", in an order that
-- only the right index has: where = would do, the planner thinks a type of average frequency and walks the primary key
-- for it.
far AS MATERIALIZED (
  SELECT found.id
  FROM (
    SELECT hit.id
    FROM unnest($3::text[]) AS seen (type)
    CROSS JOIN LATERAL (
      SELECT event.id FROM event
      WHERE (event.type, event.id) > (seen.type, $1::bigint + 10000) AND event.type <= seen.type
        AND nullif(event.usdot, (SELECT usdot FROM suppressed_business AS removed WHERE removed.usdot = event.usdot)) IS NOT NULL
      ORDER BY event.type, event.id LIMIT $2::int) AS hit
    UNION ALL
    SELECT hit.id
    FROM unnest($4::text[], $5::text[]) AS seen (type, state)
    CROSS JOIN LATERAL (
      SELECT event.id FROM event
      WHERE (event.state, event.type, event.id) > (seen.state, seen.type, $1::bigint + 10000)
        AND (event.state, event.type) <= (seen.state, seen.type)
        AND nullif(event.usdot, (SELECT usdot FROM suppressed_business AS removed WHERE removed.usdot = event.usdot)) IS NOT NULL
      ORDER BY event.state, event.type, event.id LIMIT $2::int) AS hit
  ) AS found
  WHERE (SELECT count(*) FROM near) < $2::int
  ORDER BY found.id
  LIMIT $2::int
),
page AS (
  SELECT id FROM near UNION ALL SELECT id FROM far ORDER BY id LIMIT $2::int
)
SELECT newest.id AS newest_id, event.*
FROM (SELECT max(id) AS id FROM event) AS newest
LEFT JOIN page ON true
-- OFFSET keeps this a look-up by id for each row of the page.
LEFT JOIN LATERAL (
  SELECT event.id, event.type, event.country, event.usdot, event.docket, event.state, event.occurred_on,
    event.detected_at, event.source_dataset, event.verify_method, event.data
  FROM event WHERE event.id = page.id OFFSET 0) AS event ON true
ORDER BY page.id
