-- The legacy files as the recount reads them. Runs again only when their bytes differ.
DROP TABLE IF EXISTS recount.legacy;
CREATE TABLE recount.legacy AS
WITH read AS (
  SELECT DISTINCT
    recount.docket(docket_number) AS docket,
    recount.usdot(dot_number) AS usdot,
    upper(recount.tidy(common_stat)) AS common,
    upper(recount.tidy(contract_stat)) AS contract,
    upper(recount.tidy(broker_stat)) AS broker,
    recount.is_yes(common_app_pend) OR recount.is_yes(contract_app_pend) AS carrier_applied,
    recount.is_yes(broker_app_pend) AS broker_applied,
    recount.is_yes(common_rev_pend) AS common_revoking,
    recount.is_yes(contract_rev_pend) AS contract_revoking,
    recount.is_yes(broker_rev_pend) AS broker_revoking,
    recount.is_yes(property_chk) AS property,
    recount.is_yes(passenger_chk) AS passengers,
    recount.is_yes(hhg_chk) AS household,
    recount.at_most(120, recount.tidy(legal_name)) AS legal_name,
    recount.at_most(120, recount.tidy(dba_name)) AS dba_name,
    recount.at_most(50, recount.tidy(bus_street_po)) AS street,
    recount.at_most(30, recount.tidy(bus_city)) AS city,
    recount.state(bus_state_code) AS state,
    CASE WHEN length(recount.tidy(bus_zip_code)) <= 10 THEN recount.tidy(bus_zip_code) END AS zip,
    recount.country(bus_ctry_code, bus_state_code) AS country,
    recount.phone(bus_telno) AS phone
  FROM recount.plain_legacy_carrier
  WHERE recount.docket(docket_number) IS NOT NULL AND recount.usdot(dot_number) IS NOT NULL
),
-- Common and contract are one carrier authority. On an FF docket they are a freight forwarder's authority.
carriers AS (
  SELECT *,
    CASE
      WHEN common = 'A' OR contract = 'A' THEN 'active'
      WHEN carrier_applied THEN 'pending'
      WHEN common = 'I' OR contract = 'I' THEN 'inactive'
    END AS status,
    common = 'A' AND common_revoking OR contract = 'A' AND contract_revoking AS is_revoking,
    CASE
      WHEN docket LIKE 'FF%' THEN ARRAY ['freight_forwarder']
      ELSE array_remove(ARRAY [
        CASE WHEN property OR NOT passengers AND NOT household THEN 'carrier_property' END,
        CASE WHEN household THEN 'carrier_hhg' END,
        CASE WHEN passengers THEN 'passenger' END], NULL)
    END AS classes
  FROM read
),
brokers AS (
  SELECT *,
    CASE WHEN broker = 'A' THEN 'active' WHEN broker_applied THEN 'pending' WHEN broker = 'I' THEN 'inactive' END AS status
  FROM read WHERE docket NOT LIKE 'FF%'
)
SELECT docket, usdot, unnest(classes) AS authority_class, status, coalesce(is_revoking, false) AS is_revoking,
  legal_name, dba_name, street, city, state, zip, country, phone
FROM carriers WHERE status IS NOT NULL
UNION ALL
SELECT docket, usdot, 'broker', status, coalesce(broker = 'A' AND broker_revoking, false),
  legal_name, dba_name, street, city, state, zip, country, phone
FROM brokers WHERE status IS NOT NULL;
CREATE INDEX ON recount.legacy (docket);

-- Thousands of dollars.
DROP TABLE IF EXISTS recount.legacy_cover;
CREATE TABLE recount.legacy_cover AS
SELECT recount.docket(docket_number) AS docket, recount.usdot(dot_number) AS usdot,
  1000 * recount.miles(min_cov_amount) AS required, 1000 * recount.miles(bipd_file) AS on_file
FROM recount.plain_legacy_carrier;
CREATE INDEX ON recount.legacy_cover (docket);

-- Policies on file. Excess insurance alone secures nothing. Only ActPendInsur has the day on which a policy ends.
DROP TABLE IF EXISTS recount.legacy_cover_on_file;
CREATE TABLE recount.legacy_cover_on_file AS
WITH dated AS (
  SELECT recount.docket(docket_number) AS docket,
    CASE
      WHEN said = 'BIPD' OR said LIKE 'BIPD PRIMARY%' THEN '1'
      WHEN said LIKE 'SURETY%' OR said LIKE 'BOND%' THEN '3'
      WHEN said LIKE 'TRUST%' THEN '4'
    END AS type_code,
    recount.policy(policy_no) AS policy, recount.at_most(120, recount.tidy(name_company)) AS insurer,
    recount.day(effective_date, today) AS effective_on, recount.day(trans_date, today) AS filed_on,
    recount.day(cancl_effective_date, today) AS cancelled_on
  FROM recount.plain_legacy_actpendinsur CROSS JOIN recount.import_day CROSS JOIN recount.words(ins_type_desc) AS said
),
undated AS (
  SELECT recount.docket(prefix_docket_number) AS docket, recount.words(ins_type_code) AS type_code,
    recount.policy(policy_no) AS policy, recount.at_most(120, recount.tidy(name_company)) AS insurer,
    recount.day(effective_date, today) AS effective_on, recount.cover_class(ins_class_code) AS cover_class
  FROM recount.plain_legacy_insur CROSS JOIN recount.import_day
)
SELECT docket, recount.cover_kind(type_code) AS kind, type_code, policy, insurer, effective_on, filed_on, cancelled_on
FROM dated WHERE docket IS NOT NULL AND type_code IS NOT NULL
UNION ALL
SELECT docket, recount.cover_kind(type_code), type_code, policy, insurer, effective_on, NULL, NULL
FROM undated
WHERE docket IS NOT NULL AND type_code IN ('1', '3', '4') AND (type_code <> '1' OR cover_class = 'primary')
  AND (docket, recount.cover_kind(type_code)) NOT IN (
    SELECT docket, recount.cover_kind(type_code) FROM dated WHERE docket IS NOT NULL AND type_code IS NOT NULL);
CREATE INDEX ON recount.legacy_cover_on_file (docket);

DROP TABLE IF EXISTS recount.legacy_cancellation;
CREATE TABLE recount.legacy_cancellation AS
SELECT DISTINCT recount.docket(docket_number) AS docket,
  CASE WHEN ins_type_desc ILIKE 'bipd%' THEN 'bipd' WHEN ins_type_desc ILIKE 'cargo%' THEN 'cargo' ELSE 'security' END AS kind,
  recount.policy(policy_no) AS policy, recount.day(cancl_effective_date, today) AS cancelled_on
FROM recount.plain_legacy_inshist CROSS JOIN recount.import_day
WHERE recount.words(coalesce(recount.tidy(cancl_method), cancl_method_gen)) IN ('CANCEL', 'CANCELLED', 'TERM CANCL');
CREATE INDEX ON recount.legacy_cancellation (docket);

DROP TABLE IF EXISTS recount.legacy_history;
CREATE TABLE recount.legacy_history AS
SELECT DISTINCT
  docket, spoken_of.authority_class, action, action_on, final_action, final_on,
  CASE WHEN (op_auth_type ILIKE '%common%') <> (op_auth_type ILIKE '%contract%')
    THEN lower(substring(op_auth_type FROM '(?i)common|contract')) END AS kind
FROM (
  SELECT
    recount.docket(docket_number) AS docket,
    recount.tidy(op_auth_type) AS op_auth_type,
    upper(recount.tidy(original_action_desc)) AS action,
    recount.day(orig_served_date, today) AS action_on,
    upper(recount.tidy(disp_action_desc)) AS final_action,
    recount.day(disp_served_date, today) AS final_on
  FROM recount.plain_legacy_authhist CROSS JOIN recount.import_day
) AS read
CROSS JOIN LATERAL unnest(recount.legacy_classes(docket, op_auth_type)) AS spoken_of (authority_class)
WHERE docket IS NOT NULL AND action IS NOT NULL;
CREATE INDEX ON recount.legacy_history (docket);
ANALYZE recount.legacy, recount.legacy_history;
