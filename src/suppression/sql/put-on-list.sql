-- name: putOnList :one
-- Puts businesses and contacts of requests on the removal list; existing entries stay unchanged.
-- Three groups of parallel lists: requests, their businesses and the times of removal; requests and their contacts;
-- feeds and the businesses listed in them.
-- params: requestIds, usdots, removedAt, contactRequestIds, contacts, feeds, feedUsdots, now
-- plan: once
WITH business AS (
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::timestamptz[]) AS business (request_id, usdot, removed_at)
),
matched AS (
  INSERT INTO removal_match (request_id, usdot, matched_at)
  SELECT request_id, usdot, min(removed_at) FROM business GROUP BY request_id, usdot
  ON CONFLICT DO NOTHING
),
removed AS (
  INSERT INTO suppressed_business (usdot, request_id, suppressed_at, feeds)
  SELECT usdot, min(request_id), min(removed_at), coalesce(min(listed.feeds), '{}')
  FROM business
  LEFT JOIN (
    SELECT usdot, array_agg(feed) AS feeds FROM unnest($6::text[], $7::integer[]) AS listed (feed, usdot) GROUP BY usdot
  ) AS listed USING (usdot)
  GROUP BY usdot
  ORDER BY usdot
  ON CONFLICT DO NOTHING
  RETURNING usdot
),
blanked AS (
  INSERT INTO blanked_contact (value, request_id, blanked_at)
  SELECT value, min(request_id), $8
  FROM unnest($4::bigint[], $5::text[]) AS contact (request_id, value)
  GROUP BY value
  ORDER BY value
  ON CONFLICT DO NOTHING
  RETURNING value
),
changed AS (
  UPDATE suppression_state SET number = number + 1
  WHERE EXISTS (SELECT FROM removed) OR EXISTS (SELECT FROM blanked)
)
SELECT (SELECT count(*) FROM removed) AS businesses, (SELECT count(*) FROM blanked) AS contacts;
