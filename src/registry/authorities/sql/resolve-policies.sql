-- name: resolvePolicies :exec
-- Puts policies without a docket, and the notices of their ends, under the only docket of their company. What the company
-- had without a docket, and no file names any more, is no second authority.
WITH held AS (
  SELECT usdot, min(docket) AS docket FROM authority
  WHERE NOT (status = 'missing' AND docket LIKE 'DOT%') AND usdot IN (
    SELECT usdot FROM motus_insur WHERE docket LIKE 'DOT%' UNION SELECT usdot FROM motus_inshist WHERE docket LIKE 'DOT%')
  GROUP BY usdot HAVING min(docket) = max(docket) AND min(docket) NOT LIKE 'DOT%'
),
on_file AS (
  UPDATE motus_insur AS policy SET docket = held.docket FROM held
  WHERE policy.docket LIKE 'DOT%' AND policy.usdot = held.usdot
),
-- A notice that moved is not new.
noticed AS (
  INSERT INTO cancellation_notice (docket, type_code, policy_key, cancelled_on, noticed_after)
  SELECT held.docket, type_code, policy_key, cancelled_on, noticed_after
  FROM held JOIN cancellation_notice AS notice ON notice.docket = 'DOT' || held.usdot
  ON CONFLICT DO NOTHING
)
UPDATE motus_inshist AS policy SET docket = held.docket FROM held
WHERE policy.docket LIKE 'DOT%' AND policy.usdot = held.usdot;
