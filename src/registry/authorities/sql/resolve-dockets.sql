-- name: resolveDockets :exec
-- Puts history rows without a docket under their company's docket of that class: the one that Motus Carrier names or, if it
-- has no such authority, the only one of AuthHist.
-- reads: touched_docket, new_authhist, deleted_authhist, removal_key
WITH held AS (
  SELECT usdot, authority_class,
    coalesce(min(docket) FILTER (WHERE is_current AND docket NOT LIKE 'DOT%'),
      CASE WHEN NOT bool_or(is_current) AND count(DISTINCT docket) = 1 THEN min(docket) END) AS docket
  FROM (
    SELECT usdot, authority_class, docket, true AS is_current FROM motus_carrier
    UNION ALL
    SELECT usdot, authority_class, docket, false FROM motus_authhist WHERE docket NOT LIKE 'DOT%'
  ) AS named
  WHERE authority_class <> 'unknown' AND usdot IN (SELECT usdot FROM motus_authhist WHERE docket LIKE 'DOT%')
  GROUP BY usdot, authority_class
),
resolved AS (
  UPDATE motus_authhist AS history SET docket = held.docket FROM held
  WHERE history.docket LIKE 'DOT%' AND held.usdot = history.usdot AND held.authority_class = history.authority_class
    AND held.docket IS NOT NULL
  RETURNING history.docket
)
INSERT INTO touched_docket (docket) SELECT docket FROM resolved;
