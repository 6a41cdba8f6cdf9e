-- name: resolveDockets :exec
-- Puts history rows that name their company under the docket that Motus Carrier has for its authority of that class. A row
-- without a docket has Carrier's docket or, if Carrier has no such authority, the only one that AuthHist names. A row of a
-- docket that Carrier does not have for the company has the one with the other prefix, or none if Carrier has none.
-- named_docket keeps what the file says: the row moves again when Carrier's docket changes.
-- reads: touched_docket, new_authhist, deleted_authhist, removal_key
WITH named AS (
  SELECT row_id, usdot, authority_class, docket AS docket_before, coalesce(named_docket, docket) AS named
  FROM motus_authhist WHERE usdot IS NOT NULL AND authority_class <> 'unknown'
),
held AS (
  SELECT usdot, authority_class, array_agg(docket) AS dockets, min(docket) FILTER (WHERE docket NOT LIKE 'DOT%') AS docket
  FROM motus_carrier GROUP BY usdot, authority_class
),
only_named AS (
  SELECT usdot, authority_class, min(named) AS docket
  FROM named WHERE named NOT LIKE 'DOT%'
  GROUP BY usdot, authority_class HAVING min(named) = max(named)
),
found AS (
  SELECT row_id, docket_before, named,
    CASE
      WHEN named LIKE 'DOT%' THEN coalesce(held.docket, CASE WHEN dockets IS NULL THEN only_named.docket END, named)
      WHEN named = ANY (dockets) THEN named
      WHEN other_prefix(named) = ANY (dockets) THEN other_prefix(named)
      WHEN 'DOT' || usdot = ANY (dockets) THEN 'DOT' || usdot
      ELSE named
    END AS docket_now
  FROM named LEFT JOIN held USING (usdot, authority_class) LEFT JOIN only_named USING (usdot, authority_class)
),
moved AS (
  UPDATE motus_authhist AS history SET docket = docket_now, named_docket = nullif(named, docket_now)
  FROM found WHERE history.row_id = found.row_id AND docket_now <> docket_before
  RETURNING docket_before, docket_now
)
INSERT INTO touched_docket (docket) SELECT docket_before FROM moved UNION SELECT docket_now FROM moved;
