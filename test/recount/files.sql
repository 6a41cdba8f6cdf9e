-- The live files as the recount reads them, a row per distinct statement of the registry. The plain tables hold what
-- stands in the files, character for character.
DROP TABLE IF EXISTS recount.census;
CREATE TABLE recount.census AS
SELECT DISTINCT ON (recount.usdot(dot_number))
  recount.usdot(dot_number) AS usdot,
  upper(recount.tidy(status_code)) AS status_code,
  recount.tidy(legal_name) AS legal_name,
  recount.tidy(dba_name) AS dba_name,
  recount.tidy(phy_street) AS street,
  recount.tidy(phy_city) AS city,
  recount.state(phy_state) AS state,
  recount.tidy(phy_zip) AS zip,
  lpad(nullif(recount.amount(phy_cnty), 0)::text, 3, '0') AS county,
  upper(recount.tidy(phy_country)) AS country,
  recount.phone(phone) AS phone,
  recount.phone(cell_phone) AS cell_phone,
  recount.email(email_address) AS email,
  recount.amount(power_units) AS power_units,
  recount.amount(total_drivers) AS drivers,
  recount.is_yes(crgo_genfreight) AS general_freight
FROM recount.plain_census
WHERE recount.usdot(dot_number) IS NOT NULL AND upper(recount.tidy(status_code)) IN ('A', 'I', 'P')
ORDER BY recount.usdot(dot_number), line;
CREATE INDEX ON recount.census (usdot);

DROP TABLE IF EXISTS recount.motus;
CREATE TABLE recount.motus AS
SELECT DISTINCT
  recount.docket(docket_number) AS docket,
  recount.usdot(usdot_number) AS usdot,
  recount.tidy(op_auth_type) AS op_auth_type,
  recount.motus_class(recount.tidy(op_auth_type)) AS authority_class,
  coalesce(lower(recount.tidy(op_auth_status)), 'unknown') AS status,
  recount.tidy(legal_name) AS legal_name,
  recount.tidy(dba_name) AS dba_name,
  recount.tidy(bus_street_po) AS street,
  recount.tidy(bus_city) AS city,
  recount.state(bus_state_code) AS state,
  recount.tidy(bus_zip_code) AS zip,
  upper(recount.tidy(bus_ctry_code)) AS country,
  recount.phone(bus_telno) AS phone,
  recount.tidy(min_cov_amount)::numeric AS min_coverage,
  recount.tidy(bipd_file)::numeric AS bipd_on_file,
  recount.is_yes(cargo_req) AS cargo_required,
  recount.is_yes(cargo_file) AS cargo_on_file,
  recount.is_yes(bond_req) AS bond_required,
  recount.is_yes(bond_file) AS bond_on_file
FROM recount.plain_motus_carrier
WHERE recount.docket(docket_number) IS NOT NULL AND recount.usdot(usdot_number) IS NOT NULL;
CREATE INDEX ON recount.motus (docket);

DROP TABLE IF EXISTS recount.history_before;
ALTER TABLE IF EXISTS recount.history RENAME TO history_before;
CREATE TABLE recount.history AS
SELECT DISTINCT
  recount.docket(docket_number) AS docket,
  recount.usdot(usdot_number) AS usdot,
  coalesce(recount.tidy(op_auth_type), '') AS op_auth_type,
  recount.motus_class(recount.tidy(op_auth_type)) AS authority_class,
  coalesce(lower(recount.tidy(op_auth_status)), 'unknown') AS status,
  recount.without_emails(reason) AS reason,
  recount.day(status_change_date, today) AS changed_on
FROM recount.plain_motus_authhist CROSS JOIN recount.reading
WHERE recount.docket(docket_number) IS NOT NULL;
CREATE INDEX ON recount.history (docket);
CREATE TABLE IF NOT EXISTS recount.history_before (LIKE recount.history);

DROP TABLE IF EXISTS recount.notice;
CREATE TABLE recount.notice AS
SELECT DISTINCT
  recount.docket(docket_number) AS docket,
  recount.usdot(usdot_number) AS usdot,
  recount.motus_class(recount.tidy(op_auth_type)) AS authority_class,
  recount.day(order1_serve_date, today) AS served_on,
  recount.without_emails(order1_type_desc) AS order_type,
  recount.day(order1_effective_date, today) AS effective_on
FROM recount.plain_motus_revokesuspend CROSS JOIN recount.reading;

DROP TABLE IF EXISTS recount.policy_on_file;
CREATE TABLE recount.policy_on_file AS
SELECT DISTINCT
  recount.docket(docket_number) AS docket,
  recount.tidy(ins_type_code) AS type_code,
  recount.policy(policy_no) AS policy,
  recount.day(effective_date, today) AS effective_on,
  recount.day(trans_date, today) AS filed_on
FROM recount.plain_motus_insur CROSS JOIN recount.reading
WHERE recount.docket(docket_number) IS NOT NULL AND recount.policy(policy_no) <> '';
CREATE INDEX ON recount.policy_on_file (docket);

DROP TABLE IF EXISTS recount.policy_ended;
CREATE TABLE recount.policy_ended AS
SELECT DISTINCT
  recount.docket(docket_number) AS docket,
  recount.tidy(ins_type_code) AS type_code,
  recount.policy(policy_no) AS policy,
  upper(recount.tidy(filing_status_reason)) AS reason,
  recount.day(cancl_effective_date, today) AS cancelled_on,
  recount.tidy(insurance_company_name) AS insurer
FROM recount.plain_motus_inshist CROSS JOIN recount.reading
WHERE recount.docket(docket_number) IS NOT NULL;
CREATE INDEX ON recount.policy_ended (docket);

-- The day a live file reaches is its newest row's that is not ahead of the import.
UPDATE recount.reading SET
  registry_day_before = registry_day,
  history_day = (SELECT max(changed_on) FROM recount.history WHERE changed_on <= today),
  notices_day = (SELECT max(served_on) FROM recount.notice WHERE served_on <= today),
  policies_day = (SELECT max(filed_on) FROM recount.policy_on_file WHERE filed_on <= today);
UPDATE recount.reading SET registry_day = greatest(history_day, notices_day, policies_day);
ANALYZE recount.census, recount.motus, recount.history, recount.notice, recount.policy_on_file, recount.policy_ended;
