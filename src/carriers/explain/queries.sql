-- name: findBlanked :many
-- The filed contacts of a carrier that no record shows, and why: the lists of makeCompanies of feeds/derive.
-- params: usdot
-- typed: agent_by "phone" | "email" | "email_domain"
-- never null: value
WITH filed AS (
  SELECT 'phone' AS field, coalesce(census.phone, holder.registry_phone) AS value
  FROM (SELECT $1::integer AS usdot) AS asked
  LEFT JOIN census USING (usdot)
  LEFT JOIN LATERAL (
    SELECT registry_phone FROM authority WHERE authority.usdot = asked.usdot
    ORDER BY
-- include: ../../feeds/derive/filingOrder
    LIMIT 1
  ) AS holder ON true
  UNION ALL
  SELECT 'cell_phone', cell_phone FROM census WHERE usdot = $1
  UNION ALL
  SELECT 'email', email FROM census WHERE usdot = $1
)
SELECT DISTINCT ON (filed.field) filed.field, filed.value, shared_contact.usdot_count AS shared_by, agent_contact.kind AS agent_by,
  agent_contact.note, removed.request_id AS removed_by, removed.removed_at
FROM filed
LEFT JOIN shared_contact ON shared_contact.value = filed.value
LEFT JOIN agent_contact
  ON agent_contact.kind IN ('phone', 'email') AND agent_contact.value = filed.value
  OR agent_contact.kind = 'email_domain' AND filed.field = 'email'
    AND agent_contact.value = split_part(filed.value, '@', 2)
LEFT JOIN removal_list_contact AS removed ON removed.value = filed.value
WHERE shared_contact.value IS NOT NULL OR agent_contact.value IS NOT NULL OR removed.value IS NOT NULL
ORDER BY filed.field, agent_contact.kind;

-- name: findCensus :one?
-- params: usdot
SELECT * FROM census WHERE usdot = $1;

-- name: findRemoval :one?
-- params: usdot
SELECT request_id AS request, removed_at AS since FROM removal_list_business WHERE usdot = $1;

-- name: hideAuthorities :exec
-- Hides the authorities of other carriers from the transaction.
-- params: usdots
-- makes: authority
CREATE TEMP TABLE authority ON COMMIT DROP AS SELECT * FROM public.authority WHERE usdot = ANY ($1);

-- name: hideCensus :exec
-- Hides the census rows of other carriers from the transaction.
-- params: usdots
-- makes: census
CREATE TEMP TABLE census ON COMMIT DROP AS SELECT * FROM public.census WHERE usdot = ANY ($1);

-- name: hidePolicies :exec
-- Hides from the transaction what is filed about other carriers. Without it the derivations count and copy all of it.
-- reads: authority
-- makes: motus_policy, motus_ended_policy, legacy_policy, legacy_dated_policy, legacy_ended_policy, motus_boc3, oos_order
CREATE TEMP TABLE motus_policy ON COMMIT DROP AS
SELECT * FROM public.motus_policy WHERE docket IN (SELECT docket FROM authority);
CREATE TEMP TABLE motus_ended_policy ON COMMIT DROP AS
SELECT * FROM public.motus_ended_policy WHERE docket IN (SELECT docket FROM authority);
CREATE TEMP TABLE legacy_policy ON COMMIT DROP AS
SELECT * FROM public.legacy_policy WHERE docket IN (SELECT docket FROM authority);
CREATE TEMP TABLE legacy_dated_policy ON COMMIT DROP AS
SELECT * FROM public.legacy_dated_policy WHERE docket IN (SELECT docket FROM authority);
CREATE TEMP TABLE legacy_ended_policy ON COMMIT DROP AS
SELECT * FROM public.legacy_ended_policy WHERE docket IN (SELECT docket FROM authority);
CREATE TEMP TABLE motus_boc3 ON COMMIT DROP AS
SELECT * FROM public.motus_boc3
WHERE docket IN (SELECT docket FROM authority UNION SELECT 'DOT' || usdot FROM authority);
CREATE TEMP TABLE oos_order ON COMMIT DROP AS
SELECT * FROM public.oos_order WHERE usdot IN (SELECT usdot FROM authority);

-- name: prepareCandidates :exec
-- openCandidates adds phone exchanges. With a temporary table for them it does not wait for a running import.
-- reads: authority, census
-- makes: phone_exchange
ANALYZE authority, census;
CREATE TEMP TABLE phone_exchange (LIKE public.phone_exchange INCLUDING ALL) ON COMMIT DROP;

-- name: servedVersions :many
-- typed: feed FeedCode from ../../feeds/catalogue.ts
SELECT feed_current.feed_code AS feed, id AS version, as_of
FROM feed_current JOIN feed_version ON id = version_id;
