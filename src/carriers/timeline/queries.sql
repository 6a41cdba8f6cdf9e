-- part: held
-- The dockets of a USDOT number, also those that another one took over. Rows that name no USDOT number are about it where no
-- other one has or had the docket.
held AS (
  SELECT own.docket, NOT EXISTS (
    SELECT FROM authority AS other WHERE other.docket = own.docket AND other.usdot <> $1::int) AS is_alone
  FROM (
    SELECT docket FROM authority WHERE usdot = $1::int
    UNION
    SELECT docket FROM visible_carrier_change WHERE usdot = $1::int AND field = 'holder' AND docket IS NOT NULL
  ) AS own
)

-- name: motusMoves :many
-- The changes of its authorities' status that Motus has.
-- params: usdot
WITH
-- include: held
SELECT shown_docket(docket) AS docket, authority_class, changed_on AS "on", status, reason, meaning
FROM motus_history JOIN held USING (docket)
WHERE usdot = $1::int OR usdot IS NULL AND is_alone;

-- name: legacyMoves :many
-- What began and what ended an authority, or a proceeding against it, in the legacy registry. A final action has a meaning
-- if there is one.
-- params: usdot
WITH
-- include: held
SELECT docket, authority_class, action_on, coalesce(began.meaning, 'unknown') AS began, action, final_on,
  CASE WHEN coalesce(final_action, '') <> '' THEN coalesce(ended.meaning, 'unknown') END AS ended, final_action
FROM legacy_authhist JOIN held USING (docket)
LEFT JOIN registry_word AS began
  ON began.vocabulary = 'legacy_authhist.ORIGINAL_ACTION_DESC' AND began.value = action
LEFT JOIN registry_word AS ended ON ended.vocabulary = 'legacy_authhist.DISP_ACTION_DESC' AND ended.value = final_action
WHERE usdot = $1::int OR usdot IS NULL AND is_alone;

-- name: orders :many
-- The orders against its authorities, of both registries. Some of Motus name no docket. `filed_on` is the day of service as the
-- file has it. One after the day of the files is corrupt: then nothing is known of the service.
-- params: usdot
-- typed: dataset Dataset from ../../registry/datasets.ts
WITH
-- include: held
, notice AS (
  SELECT docket, authority_class, order_type, served_on, effective_on, 'motus_revokesuspend' AS dataset
  FROM motus_order JOIN held USING (docket) WHERE usdot = $1::int OR usdot IS NULL AND is_alone
  UNION ALL
  SELECT docket, authority_class, order_type, served_on, effective_on, 'motus_revokesuspend'
  FROM motus_order WHERE docket IS NULL AND usdot = $1::int
  UNION ALL
  SELECT docket, NULL, order_type, served_on, effective_on, 'legacy_revocation'
  FROM legacy_revocation JOIN held USING (docket) WHERE usdot = $1::int OR usdot IS NULL AND is_alone
)
SELECT shown_docket(docket) AS docket, authority_class, order_type, served_on AS filed_on, effective_on, dataset,
  CASE WHEN served_on <= coalesce((SELECT as_of FROM detection), 'infinity') THEN served_on END AS served_on
FROM notice;

-- name: policies :many
-- Its policies: those on file, and those that ended or will end, with the meaning of the ending.
-- params: usdot
-- typed: dataset Dataset from ../../registry/datasets.ts
WITH
-- include: held
SELECT shown_docket(docket) AS docket, kind, policy_key, insurer, effective_on, filed_on, NULL::date AS ended_on, NULL::text AS ending,
  'motus_insur' AS dataset
FROM motus_policy JOIN held USING (docket) WHERE usdot = $1::int OR usdot IS NULL AND is_alone
UNION ALL
SELECT shown_docket(docket), kind, policy_key, insurer, effective_on, NULL, cancelled_on, ending, 'motus_inshist'
FROM motus_ended_policy JOIN held USING (docket) WHERE usdot = $1::int OR usdot IS NULL AND is_alone
UNION ALL
SELECT docket, CASE WHEN cover IN ('bond', 'trust_fund') THEN 'security' ELSE cover END, policy_key, insurer, effective_on,
  filed_on, cancelled_on, CASE WHEN cancelled_on IS NOT NULL THEN 'cancelled' END, 'legacy_actpendinsur'
FROM legacy_dated_policy JOIN held USING (docket) WHERE usdot = $1::int OR usdot IS NULL AND is_alone
UNION ALL
SELECT docket, kind, policy_key, insurer, effective_on, NULL, cancelled_on, ending, 'legacy_inshist'
FROM legacy_ended_policy JOIN held USING (docket) WHERE usdot = $1::int OR usdot IS NULL AND is_alone;

-- name: outOfServiceOrders :many
-- params: usdot
SELECT ordered_on, reason, rescinded_on FROM oos_order WHERE usdot = $1::int;
