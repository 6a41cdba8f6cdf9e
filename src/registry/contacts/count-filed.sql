-- How many active USDOT numbers file each contact. A USDOT number that is not active files its contacts here too, when it
-- has an authority: so a contact that it shares with one active number has a row.
-- params: none
INSERT INTO filed_contact (value, usdot_count)
WITH filer AS (
  SELECT usdot, status_code = 'A' AS is_active, phone, cell_phone, email FROM census
  WHERE status_code = 'A' OR usdot IN (SELECT usdot FROM authority WHERE status = 'active' OR in_motus)
)
SELECT value, count(*) FILTER (WHERE is_active)
FROM (
  SELECT phone AS value, is_active FROM filer WHERE phone IS NOT NULL
  UNION ALL
  SELECT cell_phone, is_active FROM filer WHERE cell_phone IS NOT NULL AND cell_phone IS DISTINCT FROM phone
  UNION ALL
  SELECT email, is_active FROM filer WHERE email IS NOT NULL
  UNION ALL
  (SELECT DISTINCT ON (authority.usdot, registry_phone) registry_phone,
     authority.status = 'active' AND coalesce(census.status_code, 'A') = 'A'
   FROM authority LEFT JOIN census USING (usdot)
   WHERE (authority.status = 'active' OR authority.in_motus) AND registry_phone IS NOT NULL
     AND registry_phone IS DISTINCT FROM census.phone AND registry_phone IS DISTINCT FROM census.cell_phone
   ORDER BY authority.usdot, registry_phone, authority.status = 'active' DESC)
) AS contact
GROUP BY value HAVING count(*) > 1 AND count(*) FILTER (WHERE is_active) > 0
