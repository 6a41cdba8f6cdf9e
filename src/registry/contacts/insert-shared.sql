-- params: mostUsdots
INSERT INTO shared_contact (value, usdot_count)
SELECT value, count(*) FROM (
  SELECT phone AS value FROM census WHERE status_code = 'A' AND phone IS NOT NULL
  UNION ALL
  SELECT cell_phone FROM census
  WHERE status_code = 'A' AND cell_phone IS NOT NULL AND cell_phone IS DISTINCT FROM phone
  UNION ALL
  SELECT email FROM census WHERE status_code = 'A' AND email IS NOT NULL
  UNION ALL
  (SELECT DISTINCT ON (authority.usdot, registry_phone) registry_phone
   FROM authority LEFT JOIN census USING (usdot)
   WHERE authority.status = 'active' AND registry_phone IS NOT NULL
     AND coalesce(census.status_code, 'A') = 'A'
     AND registry_phone IS DISTINCT FROM census.phone AND registry_phone IS DISTINCT FROM census.cell_phone)
) AS contact GROUP BY value HAVING count(*) > $1
