-- part: datesOfGrant
-- The date of grant of every authority of the touched dockets, as `granted`.
-- Grants and ends of authorities, from both histories. A bare "COMMON" or "CONTRACT" of the legacy file is about every
-- carrier class of its docket.
moves AS (
  SELECT docket, authority_class, usdot, NULL AS kind, changed_on AS moved_on, meaning = 'grant' AND status = 'active' AS is_grant
  FROM motus_history JOIN touched_docket USING (docket)
  WHERE changed_on <= $1::date AND (meaning = 'grant' AND status = 'active' OR status NOT IN ('active', 'pending'))
  UNION ALL
  SELECT docket, coalesce(carrier_class.authority_class, h.authority_class), usdot,
    CASE
      WHEN op_auth_type LIKE '%COMMON%' AND op_auth_type LIKE '%CONTRACT%' THEN NULL
      WHEN op_auth_type LIKE '%COMMON%' THEN 'common'
      WHEN op_auth_type LIKE '%CONTRACT%' THEN 'contract'
    END, moved_on, is_grant
  FROM (
    SELECT docket, authority_class, usdot, op_auth_type, action_on AS moved_on, true AS is_grant
    FROM legacy_authhist JOIN touched_docket USING (docket)
    WHERE action_on <= $1::date AND action = ANY (ARRAY (
      SELECT value FROM registry_word
      WHERE vocabulary = 'legacy_authhist.ORIGINAL_ACTION_DESC' AND meaning = 'grant'))
    UNION ALL
    SELECT docket, authority_class, usdot, op_auth_type, final_on, false
    FROM legacy_authhist JOIN touched_docket USING (docket)
    WHERE final_on <= $1::date AND final_action = ANY (ARRAY (
      SELECT value FROM registry_word
      WHERE vocabulary = 'legacy_authhist.DISP_ACTION_DESC' AND meaning IN ('end', 'unknown')))
  ) AS h
  LEFT JOIN (SELECT 'carrier' AS bare, unnest($4::text[]) AS authority_class) AS carrier_class
    ON carrier_class.bare = h.authority_class
),
-- In the legacy registry a class may have common and contract authority, and the end of one is not that of the other. A row
-- that names neither, as those of Motus, counts for both.
moves_of_kind AS (
  SELECT docket, authority_class, usdot, kind, moved_on, is_grant FROM moves WHERE kind IS NOT NULL
  UNION ALL
  SELECT docket, authority_class, moves.usdot, coalesce(named.kind, ''), moved_on, is_grant
  FROM moves LEFT JOIN (
    SELECT DISTINCT docket, authority_class, kind FROM moves
    WHERE kind IS NOT NULL AND docket IN (SELECT docket FROM moves AS of_both WHERE of_both.kind IS NULL)
  ) AS named USING (docket, authority_class)
  WHERE moves.kind IS NULL
),
-- A life is the time from one end to the next.
lives AS (
  SELECT docket, authority_class, usdot, kind, moved_on, is_grant,
    count(*) FILTER (WHERE NOT is_grant) OVER (
      PARTITION BY docket, authority_class, kind ORDER BY moved_on, is_grant ROWS UNBOUNDED PRECEDING) AS life,
    count(*) FILTER (WHERE NOT is_grant) OVER (PARTITION BY docket, authority_class, kind) AS ends
  FROM moves_of_kind
),
-- Of each kind the first grant of the newest life that has a grant.
granted_of_kind AS (
  SELECT DISTINCT ON (docket, authority_class, kind)
    docket, authority_class, min(usdot) AS holder, min(moved_on) AS granted_on, life < ends AS has_ended
  FROM lives WHERE is_grant
  GROUP BY docket, authority_class, kind, life, ends
  ORDER BY docket, authority_class, kind, life DESC
),
-- The date of grant is the earliest of the kinds that have not ended; if all have, that of the newest life.
granted AS (
  SELECT docket, authority_class, min(holder) AS holder,
    coalesce(min(granted_on) FILTER (WHERE NOT has_ended), max(granted_on)) AS granted_on
  FROM granted_of_kind GROUP BY docket, authority_class
),
