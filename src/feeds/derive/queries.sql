-- name: copyRemovalList :exec
-- Copies the removal list to temporary tables and replaces earlier copies.
-- makes: removed_business, removed_contact
DROP TABLE IF EXISTS removed_business, removed_contact;
CREATE TEMP TABLE removed_business ON COMMIT DROP AS SELECT usdot, removed_at FROM removal_list_business;
CREATE TEMP TABLE removed_contact ON COMMIT DROP AS SELECT value, removed_at FROM removal_list_contact;

-- name: countCancellations :exec
-- By docket and kind of insurance, the policies that were cancelled in the 12 months up to the as-of day. Both registries
-- tell of some: the same policy and day count once.
-- params: asOf
-- makes: cancellation_count
CREATE TEMP TABLE cancellation_count ON COMMIT DROP AS
SELECT docket, kind, count(*)::integer AS cancellations
FROM (
  SELECT docket, kind, policy_key, cancelled_on FROM motus_ended_policy
  WHERE ending = 'cancelled' AND cancelled_on > $1::date - interval '12 months' AND cancelled_on <= $1::date
  UNION
  SELECT docket, kind, policy_key, cancelled_on FROM legacy_ended_policy
  WHERE ending = 'cancelled' AND cancelled_on > $1::date - interval '12 months' AND cancelled_on <= $1::date
) AS cancellation
GROUP BY docket, kind;

-- part: coversInstead
-- The policy `other` covers on the day `as_of` what the `ended_policy` covered. An excess policy never replaces a primary one.
-- A bond and a trust fund replace each other. A policy ended when it was cancelled or replaced, or in a way that is not known:
-- an unknown loss is a loss. A cancelled filing can remain among the policies on file.
other.docket = ended_policy.docket AND other.kind = ended_policy.kind
AND other.policy_key NOT IN ('', ended_policy.policy_key)
AND (other.layer = 'primary' OR other.layer = 'excess' AND ended_policy.layer = 'excess')
AND NOT EXISTS (
  SELECT FROM motus_ended_policy AS ended
  WHERE ended.docket = other.docket AND ended.kind = other.kind AND ended.policy_key = other.policy_key
    AND ended.ending IN ('cancelled', 'replaced', 'unknown')
    AND (ended.cancelled_on IS NULL
      OR ended.cancelled_on <= greatest(as_of, ended_policy.cancelled_on + 1)
        AND (other.filed_on > ended.cancelled_on) IS NOT TRUE))

-- name: dropCandidates :exec
-- Drops the temporary tables of another as-of day.
DROP TABLE IF EXISTS suspension, company, policy_on_file, pending_cancellation, legacy_filing, cancellation_count,
  candidate;

-- name: findLegacyFilings :exec
-- The filings of the legacy registry that have the day of their end.
-- makes: legacy_filing
CREATE TEMP TABLE legacy_filing ON COMMIT DROP AS
SELECT docket, CASE cover WHEN 'bipd' THEN 'bipd' ELSE 'security' END AS kind, cover, policy_key, insurer,
  effective_on, filed_on, cancelled_on
FROM legacy_dated_policy
WHERE cover IN ('bipd', 'bond', 'trust_fund');

-- name: findPendingCancellations :exec
-- Cancellations on a later day, unless the policy was filed again after the notice.
-- params: asOf
-- makes: pending_cancellation
CREATE TEMP TABLE pending_cancellation ON COMMIT DROP AS
SELECT ended_policy.docket, ended_policy.kind, ended_policy.policy_key, min(ended_policy.cancelled_on) AS cancelled_on
FROM motus_ended_policy AS ended_policy
LEFT JOIN cancellation_notice AS notice ON notice.docket = ended_policy.docket AND notice.type_code = ended_policy.type_code
  AND notice.policy_key = ended_policy.policy_key AND notice.cancelled_on = ended_policy.cancelled_on
WHERE ended_policy.ending IN ('cancelled', 'unknown') AND ended_policy.cancelled_on > $1::date
  AND NOT
-- include: isFiledAgain
GROUP BY ended_policy.docket, ended_policy.kind, ended_policy.policy_key;

-- name: findSuspensions :exec
-- Authorities that were suspended for lack of insurance, bond or trust fund within the last days and were not active
-- since. Rows about another company that has the docket too do not count.
-- params: asOf, days
-- makes: suspension
CREATE TEMP TABLE suspension ON COMMIT DROP AS
SELECT DISTINCT ON (authority.docket, authority.authority_class, authority.usdot)
  authority.docket, authority.authority_class, authority.usdot, suspended.changed_on AS suspended_on
FROM authority
JOIN motus_history AS suspended ON suspended.docket = authority.docket
  AND suspended.authority_class = authority.authority_class AND coalesce(suspended.usdot = authority.usdot, true)
WHERE authority.status = 'inactive'
  AND suspended.status = 'inactive'
  AND suspended.meaning IN ('insurance_suspension', 'security_suspension')
  AND suspended.changed_on BETWEEN $1::date - $2::integer AND $1::date
  AND NOT EXISTS (
    SELECT FROM motus_authhist AS later
    WHERE later.docket = suspended.docket AND later.authority_class = suspended.authority_class
      AND coalesce(later.usdot = authority.usdot, true)
      AND later.status = 'active' AND later.changed_on > suspended.changed_on AND later.changed_on <= $1::date)
ORDER BY authority.docket, authority.authority_class, authority.usdot, suspended.changed_on DESC;

-- name: hashRemovalList :one
-- reads: removed_business, removed_contact
-- never null: hash
SELECT encode(sha256(convert_to(concat_ws('|',
  (SELECT string_agg(usdot::text, ',' ORDER BY usdot) FROM removed_business),
  (SELECT string_agg(value, ',' ORDER BY value) FROM removed_contact)), 'UTF8')), 'hex') AS hash;

-- name: indexCandidates :exec
-- reads: candidate
CREATE INDEX ON candidate (usdot);
ANALYZE candidate (usdot, docket, authority_class);

-- name: indexCompanies :exec
-- reads: company
CREATE INDEX ON company (company_usdot);
ANALYZE company (company_usdot);

-- name: indexFilings :exec
-- Whatever the planner expects of the statements that join these tables, it finds their rows by an index and never compares
-- each row with each.
-- reads: pending_cancellation, legacy_filing
CREATE INDEX ON pending_cancellation (docket, kind, policy_key);
CREATE INDEX ON legacy_filing (docket, kind);
ANALYZE pending_cancellation, legacy_filing;

-- part: filingOrder
-- Of the authorities of one company, the one whose file tells of the company comes first: some files have no names.
registry_name IS NULL, status = 'active' DESC, status_source = 'motus' DESC, docket, authority_class

-- part: filedName
-- The names and the state of a `holder`: of the `census`; if it has no row, of the authority's own file.
coalesce(census.legal_name, holder.registry_name) AS company,
CASE WHEN census.usdot IS NULL THEN holder.registry_dba_name ELSE census.dba_name END AS dba_name,
coalesce(census.state, holder.registry_state) AS filed_state

-- part: endingOfAuthority
-- What was cancelled or ended in an unknown way, or will, of the docket of the `authority`. The legacy registry's count where it
-- gives the status: what ended before the day `legacy_frozen_on` is not in the amounts that it has on file.
SELECT docket, usdot, kind, layer, type_code, policy_key, effective_on, cancelled_on, insurer, 'motus_inshist' AS dataset
FROM motus_ended_policy
WHERE docket = authority.docket AND ending IN ('cancelled', 'unknown')
UNION ALL
SELECT docket, usdot,
-- include: kindOfCover
  , 'primary', array_position(ARRAY ['bipd', 'cargo', 'bond', 'trust_fund'], cover)::text, policy_key, effective_on, cancelled_on,
  insurer, 'legacy_actpendinsur'
FROM legacy_dated_policy
WHERE docket = authority.docket AND authority.status_source = 'legacy' AND cancelled_on > legacy_frozen_on
  AND cover IN ('bipd', 'cargo', 'bond', 'trust_fund')

-- part: filingOfAuthority
-- What is on file, and does not end by the day that isCured asks about. The legacy registry's policies count where it gives the
-- status of the `authority`, as in findPolicies: Insur has no day of an end and counts where ActPendInsur has no such policy.
SELECT docket, usdot, kind, layer, policy_key, effective_on, filed_on FROM motus_policy
UNION ALL
SELECT docket, usdot,
-- include: kindOfCover
  , 'primary', policy_key, effective_on, filed_on
FROM legacy_dated_policy
WHERE authority.status_source = 'legacy' AND cover IN ('bipd', 'cargo', 'bond', 'trust_fund')
  AND (cancelled_on <= greatest(as_of, ended_policy.cancelled_on + 1)) IS NOT TRUE
UNION ALL
SELECT docket, NULL, kind, layer, policy_key, effective_on, NULL
FROM legacy_policy AS filing
WHERE authority.status_source = 'legacy' AND NOT EXISTS (
  SELECT FROM legacy_dated_policy AS dated
  WHERE dated.docket = filing.docket
    AND dated.cover = ANY (CASE filing.kind WHEN 'security' THEN ARRAY ['bond', 'trust_fund'] ELSE ARRAY [filing.kind] END))

-- part: followsNotice
-- The filing `again` of the `ended_policy` came after its `notice`. If the notice came with the first import, its day is not
-- known. Then it counts as given 30 days before the cancellation, as insurers must do. A filing after that day counts if the
-- policy was in force or on file before. One whose first day cannot be read counts as in force.
again.docket = ended_policy.docket AND again.kind = ended_policy.kind
AND again.policy_key = ended_policy.policy_key
AND again.filed_on > coalesce(notice.noticed_after, ended_policy.cancelled_on - 30)
AND (notice.noticed_after IS NOT NULL
  OR (ended_policy.effective_on <= ended_policy.cancelled_on - 30) IS NOT FALSE
  OR EXISTS (
    SELECT FROM motus_policy AS first
    WHERE first.docket = ended_policy.docket AND first.kind = ended_policy.kind
      AND first.policy_key = ended_policy.policy_key AND first.filed_on < again.filed_on))

-- part: isCured
-- On the day `as_of`, or the day after the end if that is later, the `authority` has what the `ended_policy` covered: by another
-- policy, or because the same one was filed again. A policy whose first day cannot be read began when it was filed at the
-- latest. Rows about another company that has the docket too do not count.
(EXISTS (
    SELECT FROM (
-- include: filingOfAuthority
    ) AS other
    WHERE other.docket = ended_policy.docket AND other.kind = ended_policy.kind
      AND coalesce(other.usdot = authority.usdot, true)
      AND (coalesce(other.effective_on, other.filed_on) <= greatest(as_of, ended_policy.cancelled_on + 1)) IS NOT FALSE
      AND (
-- include: coversInstead
        -- The same policy, filed after its end or for a later term. One without a readable number may be the same.
        OR (other.policy_key = ended_policy.policy_key
            OR other.policy_key = '' AND (other.layer = 'primary' OR other.layer = 'excess' AND ended_policy.layer = 'excess'))
          AND (other.filed_on > ended_policy.cancelled_on
            OR other.effective_on >= ended_policy.cancelled_on
              AND (other.effective_on > ended_policy.effective_on) IS NOT FALSE)))
  -- The same policy, filed again before its end.
  OR EXISTS (
    SELECT FROM motus_policy AS again
    WHERE (coalesce(again.effective_on, again.filed_on) <= greatest(as_of, ended_policy.cancelled_on + 1)) IS NOT FALSE
      AND coalesce(again.usdot = authority.usdot, true) AND
-- include: followsNotice
  )
  -- Of policies that followed each other, the one that ends last tells whether nothing covers, and since when.
  OR EXISTS (
    SELECT FROM motus_ended_policy AS later
    WHERE later.docket = ended_policy.docket AND later.kind = ended_policy.kind AND later.ending IN ('cancelled', 'unknown')
      AND coalesce(later.usdot = authority.usdot, true)
      AND (later.layer = 'primary' OR later.layer = 'excess' AND ended_policy.layer = 'excess')
      AND later.cancelled_on > ended_policy.cancelled_on
      AND (later.effective_on < later.cancelled_on
        AND later.effective_on <= greatest(as_of, ended_policy.cancelled_on + 1)) IS NOT FALSE))

-- part: isFiledAgain
-- The `ended_policy` was filed again after its `notice`.
EXISTS (
  SELECT FROM motus_policy AS again
  WHERE
-- include: followsNotice
)

-- part: kindOfCover
-- The kind of policy that a legacy policy is, by its `cover`.
CASE WHEN cover IN ('bipd', 'cargo') THEN cover ELSE 'security' END

-- part: kindThatSecures
-- The kind of policy that secures an authority of the class `authority_class`.
CASE WHEN authority_class IN ('broker', 'freight_forwarder') THEN 'security' ELSE 'bipd' END

-- name: listUnknownExchanges :many
-- One phone of each exchange whose line type is not known yet. An exchange is the first six digits.
-- reads: company
SELECT min(phone) AS phone FROM company
WHERE phone IS NOT NULL AND NOT EXISTS (SELECT FROM phone_exchange WHERE exchange = left(phone, 6))
GROUP BY left(phone, 6);
