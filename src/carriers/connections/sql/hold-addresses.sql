-- name: holdAddresses :exec
-- The addresses of each USDOT number in each file, now and as far as its changes were recorded. A change has the fields
-- that differ, so an earlier address is put together: a field has the value before its next change, else the one of now.
-- params: legacyFrozenOn
-- reads: held_value, named_now
INSERT INTO held_value (kind, value, usdot, source, is_now, set_on, lost_on)
WITH filed AS (
  SELECT usdot, 'census' AS source, street, zip, true AS is_now FROM census
  UNION ALL
  SELECT DISTINCT usdot, 'motus_carrier', street, zip, true FROM motus_carrier
  UNION ALL
  SELECT DISTINCT usdot, 'legacy_carrier', street, zip, named_now.usdot IS NULL
  FROM legacy_carrier LEFT JOIN named_now USING (usdot) WHERE usdot IS NOT NULL
),
change AS (
  SELECT usdot, source, as_of, min(old_value #>> '{}') FILTER (WHERE field = 'street') AS street,
    min(old_value #>> '{}') FILTER (WHERE field = 'zip') AS zip
  FROM visible_carrier_change
  WHERE category = 'address' AND field IN ('street', 'zip') AND source IN ('census', 'motus_carrier')
  GROUP BY usdot, source, as_of
),
former AS (
  SELECT usdot, source, as_of,
    (array_agg(street) FILTER (WHERE street IS NOT NULL) OVER before)[1] AS street_before,
    (array_agg(zip) FILTER (WHERE zip IS NOT NULL) OVER before)[1] AS zip_before,
    (array_agg(street) FILTER (WHERE street IS NOT NULL) OVER after)[1] AS street_after,
    (array_agg(zip) FILTER (WHERE zip IS NOT NULL) OVER after)[1] AS zip_after
  FROM change
  WINDOW before AS (PARTITION BY usdot, source ORDER BY as_of ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING),
    after AS (PARTITION BY usdot, source ORDER BY as_of ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
),
held AS (
  SELECT usdot, source, is_now, NULL::date AS set_on, CASE WHEN NOT is_now THEN $1::date END AS lost_on,
    address_key(street, zip) AS value
  FROM filed
  UNION ALL
  SELECT usdot, source, false, NULL, as_of,
    address_key(coalesce(street_before, filed.street), coalesce(zip_before, filed.zip))
  FROM former LEFT JOIN filed USING (usdot, source)
  UNION ALL
  SELECT usdot, source, false, as_of, NULL,
    address_key(coalesce(street_after, filed.street), coalesce(zip_after, filed.zip))
  FROM former LEFT JOIN filed USING (usdot, source)
)
SELECT 'address', value, usdot, source, is_now, set_on, lost_on FROM held WHERE value IS NOT NULL
