-- name: resolvePolicies :exec
-- Puts policies without a docket, and the notices of their ends, under the only docket of their company. A policy of a docket
-- of which the company has no authority is under that only docket too, if it has the other prefix or stands for none. What no
-- file names any more is no authority. As in resolveDockets, named_docket keeps what the file says.
WITH policy AS (
  SELECT row_id, usdot, docket AS docket_before, coalesce(named_docket, docket) AS named
  FROM (
    SELECT row_id, usdot, docket, named_docket FROM motus_insur
    UNION ALL
    SELECT row_id, usdot, docket, named_docket FROM motus_inshist
  ) AS filed
  WHERE usdot IS NOT NULL AND (docket LIKE 'DOT%' OR named_docket IS NOT NULL OR NOT EXISTS (
    SELECT FROM authority
    WHERE authority.docket = filed.docket AND authority.usdot = filed.usdot AND authority.status <> 'missing'))
),
held AS (
  SELECT usdot, min(docket) AS docket FROM authority
  WHERE status <> 'missing' AND usdot IN (SELECT usdot FROM policy)
  GROUP BY usdot HAVING min(docket) = max(docket)
),
moved AS MATERIALIZED (
  SELECT row_id, docket_before, named, docket_now
  FROM policy LEFT JOIN held USING (usdot)
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN named LIKE 'DOT%' OR held.docket IN (other_prefix(named), 'DOT' || usdot) THEN coalesce(held.docket, named)
      ELSE named
    END AS docket_now
  ) AS found
  WHERE docket_now <> docket_before
),
on_file AS (
  UPDATE motus_insur AS policy SET docket = docket_now, named_docket = nullif(named, docket_now)
  FROM moved WHERE policy.row_id = moved.row_id
),
-- A notice that moved is not new.
noticed AS (
  INSERT INTO cancellation_notice (docket, type_code, policy_key, cancelled_on, noticed_after)
  SELECT docket_now, type_code, policy_key, cancelled_on, noticed_after
  FROM (SELECT DISTINCT docket_before, docket_now FROM moved) AS moved
  JOIN cancellation_notice AS notice ON notice.docket = docket_before
  ON CONFLICT DO NOTHING
)
UPDATE motus_inshist AS policy SET docket = docket_now, named_docket = nullif(named, docket_now)
FROM moved WHERE policy.row_id = moved.row_id;
