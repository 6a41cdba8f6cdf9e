-- The other live files as the recount reads them, without repeated rows. The plain tables have the exact text of the files.
DROP TABLE IF EXISTS recount.motus;
CREATE TABLE recount.motus AS
SELECT DISTINCT
  recount.motus_docket(docket_number, usdot_number) AS docket,
  recount.usdot(usdot_number) AS usdot,
  recount.tidy(op_auth_type) AS op_auth_type,
  recount.motus_class(op_auth_type) AS authority_class,
  recount.motus_status(op_auth_status) AS status,
  recount.at_most(120, recount.tidy(legal_name)) AS legal_name, recount.at_most(120, recount.tidy(dba_name)) AS dba_name,
  recount.at_most(50, recount.tidy(bus_street_po)) AS street,
  recount.at_most(30, recount.tidy(bus_city)) AS city,
  recount.state(bus_state_code) AS state,
  CASE WHEN length(recount.tidy(bus_zip_code)) <= 10 THEN recount.tidy(bus_zip_code) END AS zip,
  recount.country(bus_ctry_code, bus_state_code) AS country,
  recount.phone(bus_telno) AS phone,
  recount.tidy(min_cov_amount)::numeric AS min_coverage,
  recount.tidy(bipd_file)::numeric AS bipd_on_file,
  recount.is_yes(cargo_req) AS cargo_required, recount.is_yes(cargo_file) AS cargo_on_file,
  recount.is_yes(bond_req) AS bond_required, recount.is_yes(bond_file) AS bond_on_file
FROM recount.plain_motus_carrier
WHERE recount.motus_docket(docket_number, usdot_number) IS NOT NULL AND recount.usdot(usdot_number) IS NOT NULL;
CREATE INDEX ON recount.motus (docket);
CREATE INDEX ON recount.motus (usdot);

DROP TABLE IF EXISTS recount.history_before;
ALTER TABLE IF EXISTS recount.history RENAME TO history_before;
CREATE TABLE recount.history AS
WITH read AS (
  SELECT
    recount.motus_docket(docket_number, usdot_number) AS docket,
    recount.usdot(usdot_number) AS usdot,
    coalesce(recount.tidy(op_auth_type), '') AS op_auth_type,
    recount.motus_class(op_auth_type) AS authority_class,
    recount.motus_status(op_auth_status) AS status,
    recount.at_most(400, recount.without_emails(reason)) AS reason,
    recount.meaning(reason) AS meaning,
    recount.day(status_change_date, today) AS changed_on
  FROM recount.plain_motus_authhist CROSS JOIN recount.import_day
)
-- A row without docket applies to the company's docket of that class: Carrier's, else the only one of the history. A row of a
-- docket that the company does not have in Carrier applies to the one written MC for MX, else to the authority without any.
SELECT DISTINCT coalesce(held.docket, meant.docket, read.docket) AS docket, read.usdot, read.op_auth_type, read.authority_class,
  read.status, reason, meaning, changed_on
FROM read
LEFT JOIN LATERAL (
  SELECT min(docket) AS docket FROM recount.motus
  WHERE usdot = read.usdot AND authority_class = read.authority_class AND docket NOT LIKE 'DOT%'
  HAVING count(*) > 0
  UNION ALL
  SELECT min(docket) FROM read AS other
  WHERE usdot = read.usdot AND authority_class = read.authority_class AND docket NOT LIKE 'DOT%'
    AND (usdot, authority_class) NOT IN (SELECT usdot, authority_class FROM recount.motus)
  HAVING count(DISTINCT docket) = 1
) AS held ON read.docket LIKE 'DOT%'
LEFT JOIN LATERAL (
  SELECT docket FROM recount.motus
  WHERE usdot = read.usdot AND authority_class = read.authority_class AND authority_class <> 'unknown'
    AND (docket IN (read.docket, recount.renamed(read.docket)) OR docket LIKE 'DOT%')
  ORDER BY docket = read.docket DESC, docket LIKE 'DOT%' LIMIT 1
) AS meant ON read.docket NOT LIKE 'DOT%'
WHERE read.docket IS NOT NULL;
CREATE INDEX ON recount.history (docket);
CREATE TABLE IF NOT EXISTS recount.history_before (LIKE recount.history);

DROP TABLE IF EXISTS recount.notice;
CREATE TABLE recount.notice AS
SELECT DISTINCT docket, usdot, authority_class, wording, served_on, order_type, is_voluntary,
  coalesce(effective_on, served_on + 30) AS effective_on
FROM (
  SELECT
    recount.docket(docket_number) AS docket,
    recount.usdot(usdot_number) AS usdot,
    recount.motus_class(op_auth_type) AS authority_class,
    recount.words(op_auth_type) AS wording,
    recount.day(order1_serve_date, today) AS served_on,
    coalesce(recount.at_most(120, recount.without_emails(order1_type_desc)), 'Order of a type that is not stated') AS order_type,
    recount.is_voluntary(order1_type_desc) AS is_voluntary,
    recount.day(order1_effective_date, today) AS effective_on
  FROM recount.plain_motus_revokesuspend CROSS JOIN recount.import_day
) AS read
WHERE coalesce(effective_on, served_on) IS NOT NULL AND coalesce(docket, usdot::text) IS NOT NULL;
CREATE INDEX ON recount.notice (docket);

DROP TABLE IF EXISTS recount.policy_on_file;
CREATE TABLE recount.policy_on_file AS
SELECT DISTINCT
  recount.motus_docket(docket_number, usdot_number) AS docket,
  recount.usdot(usdot_number) AS usdot,
  recount.cover_kind(ins_type_code) AS kind,
  recount.cover_class(ins_class_code) AS cover_class,
  recount.policy(policy_no) AS policy,
  recount.words(ins_type_code) AS type_code,
  recount.at_most(120, recount.tidy(insurance_company_name)) AS insurer,
  recount.day(effective_date, today) AS effective_on,
  recount.day(trans_date, today) AS filed_on
FROM recount.plain_motus_insur CROSS JOIN recount.import_day
WHERE recount.motus_docket(docket_number, usdot_number) IS NOT NULL;
CREATE INDEX ON recount.policy_on_file (docket);

DROP TABLE IF EXISTS recount.policy_ended;
CREATE TABLE recount.policy_ended AS
SELECT DISTINCT
  recount.motus_docket(docket_number, usdot_number) AS docket,
  recount.usdot(usdot_number) AS usdot,
  recount.words(ins_type_code) AS type_code,
  recount.cover_kind(ins_type_code) AS kind,
  recount.cover_class(ins_class_code) AS cover_class,
  recount.policy(policy_no) AS policy,
  recount.ending(filing_status_reason) AS ending,
  recount.day(effective_date, today) AS effective_on,
  recount.day(cancl_effective_date, today) AS cancelled_on,
  recount.at_most(120, recount.tidy(insurance_company_name)) AS insurer
FROM recount.plain_motus_inshist CROSS JOIN recount.import_day
WHERE recount.motus_docket(docket_number, usdot_number) IS NOT NULL;
CREATE INDEX ON recount.policy_ended (docket);

DROP TABLE IF EXISTS recount.out_of_service_order;
CREATE TABLE recount.out_of_service_order AS
SELECT DISTINCT
  recount.usdot(dot_number) AS usdot,
  recount.day(oos_date, today) AS ordered_on,
  recount.at_most(200, recount.without_emails(oos_reason)) AS reason,
  -- A rescission before its order is none.
  CASE WHEN recount.day(rescind_date, today) < recount.day(oos_date, today) THEN NULL
    ELSE recount.day(rescind_date, today) END AS rescinded_on
FROM recount.plain_oos_order CROSS JOIN recount.import_day
WHERE recount.usdot(dot_number) IS NOT NULL;
CREATE INDEX ON recount.out_of_service_order (usdot);

-- BOC-3 filings that name an agent.
DROP TABLE IF EXISTS recount.agent_filing;
CREATE TABLE recount.agent_filing AS
SELECT DISTINCT 'motus' AS source, recount.motus_docket(docket_number, usdot_number) AS docket,
  recount.usdot(usdot_number) AS usdot, recount.tidy(co_name) AS agent, recount.state(state_code) AS state
FROM recount.plain_motus_boc3
WHERE recount.motus_docket(docket_number, usdot_number) IS NOT NULL AND recount.tidy(co_name) IS NOT NULL
UNION
SELECT 'legacy', recount.docket(docket_number), recount.usdot(dot_number), recount.tidy(co_name), recount.state(state_code)
FROM recount.plain_legacy_boc3
WHERE recount.docket(docket_number) IS NOT NULL AND recount.tidy(co_name) IS NOT NULL;
CREATE INDEX ON recount.agent_filing (docket);
CREATE INDEX ON recount.agent_filing (usdot);

-- The contacts of census companies that more than five companies name as their agent.
DROP TABLE IF EXISTS recount.agent_of_filings;
CREATE TABLE recount.agent_of_filings AS
WITH named AS (
  SELECT recount.name_key(agent) AS name, state FROM recount.agent_filing
  GROUP BY 1, 2 HAVING count(DISTINCT coalesce(usdot::text, docket)) > 5
),
company AS (
  SELECT census.* FROM recount.census JOIN named ON named.state = census.state AND named.name = recount.name_key(legal_name)
  UNION ALL
  SELECT census.* FROM recount.census JOIN named ON named.state = census.state AND named.name = recount.name_key(dba_name)
)
SELECT 'value' AS kind, phone AS value FROM company WHERE phone IS NOT NULL
UNION SELECT 'value', cell_phone FROM company WHERE cell_phone IS NOT NULL
UNION SELECT CASE WHEN public.value IS NULL THEN 'domain' ELSE 'value' END,
  CASE WHEN public.value IS NULL THEN split_part(email, '@', 2) ELSE email END
  FROM company LEFT JOIN recount.agent AS public ON public.kind = 'public_domain' AND public.value = split_part(email, '@', 2)
  WHERE email IS NOT NULL;

-- The as-of day of a live file is the newest date of its rows up to the day of the import.
UPDATE recount.import_day SET
  registry_day_before = registry_day,
  history_day = (SELECT max(changed_on) FROM recount.history WHERE changed_on <= today),
  notices_day = (SELECT max(served_on) FROM recount.notice WHERE served_on <= today),
  policies_day = (SELECT max(day) FROM recount.plain_motus_insur, recount.day(trans_date, today) AS day WHERE day <= today),
  census_day = (
    SELECT max(day) FROM recount.plain_census
    CROSS JOIN LATERAL (VALUES (recount.day(mcs150_date, today)), (recount.day(add_date, today))) AS days (day)
    WHERE day <= today);
UPDATE recount.import_day SET registry_day = greatest(history_day, notices_day, policies_day);
-- Carrier, InsHist and BOC3 have no dates of their own: they are as of the last import that brought another file.
UPDATE recount.import_day SET
  statuses_day = CASE WHEN 'motus_carrier' = ANY (changed) THEN registry_day ELSE statuses_day END,
  endings_day = CASE WHEN 'motus_inshist' = ANY (changed) THEN registry_day ELSE endings_day END,
  agents_day = CASE WHEN 'motus_boc3' = ANY (changed) THEN registry_day ELSE agents_day END,
  orders_day = (
    SELECT max(day) FROM recount.out_of_service_order CROSS JOIN LATERAL (VALUES (ordered_on), (rescinded_on)) AS days (day)
    WHERE day <= today);

ANALYZE recount.census, recount.motus, recount.history, recount.notice, recount.policy_on_file, recount.policy_ended,
  recount.out_of_service_order, recount.agent_filing;
