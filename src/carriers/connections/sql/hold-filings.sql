-- name: holdDockets :exec
-- Who has or had each docket: by the authorities, by authorities that the legacy history ended under another number, and by
-- recorded changes of the holder.
-- reads: held_value
INSERT INTO held_value (kind, value, usdot, source, is_now, set_on, lost_on)
SELECT 'docket_moved', docket, usdot, CASE status_source WHEN 'legacy' THEN 'legacy_carrier' ELSE 'motus_carrier' END,
  status IN ('active', 'pending'), NULL::date, NULL::date
FROM authority WHERE shown_docket(docket) IS NOT NULL
UNION ALL
SELECT 'docket_moved', docket, usdot, 'legacy_authhist', false, action_on, final_on
FROM legacy_authhist
JOIN registry_word ON vocabulary = 'legacy_authhist.DISP_ACTION_DESC' AND value = final_action AND meaning = 'end'
WHERE usdot IS NOT NULL
UNION ALL
SELECT 'docket_moved', docket, (side.value ->> 'usdot')::integer, source, false, side.set_on, side.lost_on
FROM visible_carrier_change
CROSS JOIN LATERAL (VALUES
  (old_value, NULL, coalesce(registry_on, as_of)),
  (new_value, coalesce(registry_on, as_of), NULL)) AS side (value, set_on, lost_on)
WHERE category = 'authority' AND field = 'holder' AND docket IS NOT NULL AND side.value ->> 'usdot' IS NOT NULL;

-- name: holdPolicies :exec
-- The policies of each USDOT number by insurer and number. A row without a USDOT number is of the only one that has the
-- docket. Texts such as UNKNOWN are no numbers of policies.
-- params: asOf, legacyFrozenOn
-- reads: held_value
INSERT INTO held_value (kind, value, usdot, source, is_now, set_on, lost_on)
WITH alone AS (
  SELECT docket, min(usdot) AS usdot FROM authority GROUP BY docket HAVING count(DISTINCT usdot) = 1
),
policy AS (
  SELECT docket, usdot, insurer, policy_key, effective_on, NULL::date AS ended_on, 'motus_insur' AS source FROM motus_insur
  UNION ALL
  SELECT docket, usdot, insurer, policy_key, effective_on, cancelled_on, 'motus_inshist' FROM motus_inshist
  UNION ALL
  SELECT docket, NULL, insurer, policy_key, effective_on, NULL, 'legacy_insur' FROM legacy_insur
  UNION ALL
  SELECT docket, usdot, insurer, policy_key, effective_on, cancelled_on, 'legacy_actpendinsur' FROM legacy_actpendinsur
  UNION ALL
  SELECT docket, usdot, insurer, policy_key, effective_on, coalesce(cancelled_on, $2::date), 'legacy_inshist'
  FROM legacy_inshist
)
SELECT 'policy', upper(regexp_replace(insurer, '[^A-Za-z0-9]+', '', 'g')) || '|' || policy_key,
  coalesce(policy.usdot, alone.usdot), source, ended_on IS NULL OR ended_on > $1::date, effective_on,
  CASE WHEN ended_on <= $1::date THEN ended_on END
FROM policy LEFT JOIN alone USING (docket)
WHERE coalesce(policy.usdot, alone.usdot) IS NOT NULL AND insurer ~ '[A-Za-z0-9]'
  AND length(policy_key) >= 5 AND policy_key ~ '[0-9].*[0-9].*[0-9]' AND policy_key ~ '[1-9]';

-- name: holdDeclarations :exec
-- The predecessors that companies declared: each declaration is a value of both numbers. A number that more than `most`
-- companies declare is no predecessor, and neither is one that the registry does not know.
-- params: most
-- reads: held_value
INSERT INTO held_value (kind, value, usdot, source, is_now, set_on, lost_on)
WITH declared AS (
  SELECT usdot, prior_usdot, true AS is_now, NULL::date AS set_on, NULL::date AS lost_on
  FROM census WHERE prior_usdot IS NOT NULL
  UNION ALL
  SELECT usdot, (side.value #>> '{}')::integer, false, side.set_on, side.lost_on
  FROM visible_carrier_change
  CROSS JOIN LATERAL (VALUES (old_value, NULL, as_of), (new_value, as_of, NULL)) AS side (value, set_on, lost_on)
  WHERE category = 'census' AND field = 'prior_usdot' AND side.value #>> '{}' IS NOT NULL
),
likely AS (SELECT prior_usdot FROM declared GROUP BY prior_usdot HAVING count(DISTINCT usdot) <= $1::int)
SELECT 'declared_predecessor', declared.usdot || '>' || prior_usdot, company.usdot, 'census', is_now, set_on, lost_on
FROM declared JOIN likely USING (prior_usdot)
CROSS JOIN LATERAL (VALUES (declared.usdot), (prior_usdot)) AS company (usdot)
WHERE declared.usdot <> prior_usdot
  AND (EXISTS (SELECT FROM census WHERE census.usdot = declared.prior_usdot)
    OR EXISTS (SELECT FROM authority WHERE authority.usdot = declared.prior_usdot))
