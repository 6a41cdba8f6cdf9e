-- Puts businesses and contacts on the removal list for the requests they belong to; what stands there already stays.
-- $1 bigint[] requests and $2 int[] their businesses, in pairs; $3 bigint[] requests and $4 text[] their contacts, in
-- pairs; $5 text[] feeds and $6 int[] businesses that stand in them, in pairs; $7 the time.
WITH matched AS (
  INSERT INTO removal_match (request_id, usdot, matched_at)
  SELECT DISTINCT request_id, usdot, $7::timestamptz FROM unnest($1::bigint[], $2::integer[]) AS pair (request_id, usdot)
  ON CONFLICT DO NOTHING
),
hidden AS (
  INSERT INTO suppressed_business (usdot, request_id, suppressed_at, feeds)
  SELECT usdot, min(request_id), $7,
    coalesce(
      (SELECT array_agg(feed) FROM unnest($5::text[], $6::integer[]) AS stands (feed, usdot) WHERE stands.usdot = pair.usdot),
      '{}')
  FROM unnest($1::bigint[], $2::integer[]) AS pair (request_id, usdot)
  GROUP BY usdot
  ORDER BY usdot
  ON CONFLICT DO NOTHING
  RETURNING usdot
),
blanked AS (
  INSERT INTO blanked_contact (value, request_id, blanked_at)
  SELECT value, min(request_id), $7 FROM unnest($3::bigint[], $4::text[]) AS pair (request_id, value)
  GROUP BY value
  ORDER BY value
  ON CONFLICT DO NOTHING
  RETURNING value
),
changed AS (
  UPDATE suppression_state SET number = number + 1
  WHERE EXISTS (SELECT FROM hidden) OR EXISTS (SELECT FROM blanked)
)
SELECT (SELECT count(*) FROM hidden) AS businesses, (SELECT count(*) FROM blanked) AS contacts
