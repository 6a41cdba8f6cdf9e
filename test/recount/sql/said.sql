-- Every value of a file as a row, so that what changed since the import before is a difference of two sets of rows.
DROP TABLE IF EXISTS recount.said_before;
ALTER TABLE IF EXISTS recount.said RENAME TO said_before;
CREATE TABLE recount.said (
  source text, thing text, usdot integer, docket text, item jsonb, category text, field text, value jsonb,
  -- Two values with the same form are equal. A value without form only tells that the thing exists.
  form text, is_appearance boolean, day date, day_source text);

-- Case, blanks and punctuation of names and addresses mean nothing.
CREATE FUNCTION pg_temp.bare(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT nullif(upper(translate(value, ' .,;:!?/\-_#&*+()[]{}<>|''"`´’‘“”–—@$%^~=', '')), '')
$$;

INSERT INTO recount.said
SELECT 'census', usdot::text, usdot, NULL, NULL, category, field, value, form, field = 'usdot_status', mcs150_date, NULL
FROM recount.census
CROSS JOIN LATERAL (VALUES
  ('census', 'usdot_status', to_jsonb(status_code), status_code),
  ('name', 'legal_name', to_jsonb(legal_name), pg_temp.bare(legal_name)),
  ('name', 'dba_name', to_jsonb(dba_name), pg_temp.bare(dba_name)),
  ('address', 'street', to_jsonb(street), pg_temp.bare(street)),
  ('address', 'city', to_jsonb(city), pg_temp.bare(city)),
  ('address', 'state', to_jsonb(state), state),
  ('address', 'zip', to_jsonb(zip), pg_temp.bare(zip)),
  ('address', 'country', to_jsonb(country), country),
  ('contact', 'phone', to_jsonb(phone), phone),
  ('contact', 'cell_phone', to_jsonb(cell_phone), cell_phone),
  ('contact', 'email', to_jsonb(email), email),
  ('fleet', 'power_units', to_jsonb(power_units), power_units::text),
  ('fleet', 'drivers', to_jsonb(drivers), drivers::text),
  ('census', 'carrier_operation', to_jsonb(carrier_operation), carrier_operation),
  ('census', 'hazmat', to_jsonb(hazmat), hazmat::text),
  ('census', 'cargo', to_jsonb(cargo), cargo::text),
  ('census', 'safety_rating', to_jsonb(safety_rating), safety_rating),
  ('census', 'safety_rating_date', to_jsonb(safety_rating_date), safety_rating_date::text),
  ('census', 'mcs150_date', to_jsonb(mcs150_date), mcs150_date::text),
  ('census', 'annual_mileage', to_jsonb(annual_mileage), annual_mileage::text),
  ('census', 'mileage_year', to_jsonb(mileage_year), mileage_year::text)
) AS told (category, field, value, form);

-- Of several rows of Carrier about one authority the most active one counts.
INSERT INTO recount.said
SELECT 'motus_carrier', concat_ws(' ', docket, authority_class, usdot), usdot,
  CASE WHEN category = 'insurance' AND docket NOT LIKE 'DOT%' THEN docket END,
  CASE WHEN category = 'insurance' THEN jsonb_build_object('authority_type', authority_class) END,
  category, field, value, form, false, NULL, NULL
FROM (
  SELECT DISTINCT ON (docket, authority_class, usdot) * FROM recount.motus
  ORDER BY docket, authority_class, usdot, recount.rank(status), op_auth_type, bipd_on_file DESC, legal_name, phone
) AS carrier
CROSS JOIN LATERAL (VALUES
  ('insurance', 'insurance_required', to_jsonb(min_coverage::float), min_coverage::float::text),
  ('insurance', 'insurance_on_file', to_jsonb(bipd_on_file::float), bipd_on_file::float::text),
  ('insurance', 'cargo_required', to_jsonb(cargo_required), cargo_required::text),
  ('insurance', 'cargo_on_file', to_jsonb(cargo_on_file), cargo_on_file::text),
  ('insurance', 'bond_required', to_jsonb(bond_required), bond_required::text),
  ('insurance', 'bond_on_file', to_jsonb(bond_on_file), bond_on_file::text),
  ('name', 'legal_name', to_jsonb(legal_name), pg_temp.bare(legal_name)),
  ('name', 'dba_name', to_jsonb(dba_name), pg_temp.bare(dba_name)),
  ('address', 'street', to_jsonb(street), pg_temp.bare(street)),
  ('address', 'city', to_jsonb(city), pg_temp.bare(city)),
  ('address', 'state', to_jsonb(state), state),
  ('address', 'zip', to_jsonb(zip), pg_temp.bare(zip)),
  ('address', 'country', to_jsonb(country), country),
  ('contact', 'phone', to_jsonb(phone), phone)
) AS told (category, field, value, form);

-- The status of an authority, whichever file decides it, with the day and the file that tell it.
INSERT INTO recount.said
SELECT 'authority', concat_ws(' ', docket, authority_class, usdot), usdot, docket,
  jsonb_build_object('authority_type', authority_class), 'authority', 'status',
  to_jsonb(nullif(authority.status, 'missing')), nullif(authority.status, 'missing'), true,
  CASE WHEN newest.status = authority.status THEN newest.changed_on END,
  CASE
    WHEN source = 'legacy' THEN 'legacy_carrier'
    WHEN authority.status = 'missing' OR EXISTS (
      SELECT FROM recount.motus WHERE motus.docket = authority.docket AND motus.usdot = authority.usdot
        AND motus.authority_class = authority.authority_class AND motus.status = authority.status) THEN 'motus_carrier'
    WHEN newest.status = authority.status THEN 'motus_authhist'
    ELSE 'motus_revokesuspend'
  END
FROM recount.authority
LEFT JOIN LATERAL (
  SELECT changed_on, (array_agg(status ORDER BY status = authority.status DESC))[1] AS status
  FROM recount.history CROSS JOIN recount.import_day
  WHERE history.docket = authority.docket AND history.authority_class = authority.authority_class
    AND changed_on <= registry_day
  GROUP BY changed_on ORDER BY changed_on DESC LIMIT 1
) AS newest ON true;

INSERT INTO recount.said
SELECT DISTINCT ON (docket, authority_class, status, changed_on)
  'motus_authhist', concat_ws(' ', docket, authority_class, status, coalesce(changed_on::text, '?')),
  usdot, docket, jsonb_build_object('authority_type', authority_class), 'authority', 'status_change',
  jsonb_build_object('status', CASE status WHEN 'other' THEN 'another word' ELSE status END, 'reason', reason,
    'changed_on', changed_on),
  NULL, true, changed_on, NULL
FROM recount.history
ORDER BY docket, authority_class, status, changed_on, usdot, reason;

INSERT INTO recount.said
SELECT DISTINCT ON (thing) 'motus_revokesuspend', thing, usdot, docket, jsonb_build_object('authority_type', authority_class),
  'order', 'order',
  jsonb_build_object('order_type', order_type, 'served_on', served_on, 'effective_on', effective_on),
  NULL, true, served_on, NULL
FROM (
  SELECT
    recount.docket(docket_number) AS docket,
    recount.usdot(usdot_number) AS usdot,
    recount.motus_class(op_auth_type) AS authority_class,
    recount.day(order1_serve_date, today) AS served_on,
    coalesce(recount.without_emails(order1_type_desc), 'Order of a type that is not stated') AS order_type,
    recount.day(order1_effective_date, today) AS effective_on
  FROM recount.plain_motus_revokesuspend CROSS JOIN recount.import_day
) AS read
CROSS JOIN LATERAL concat_ws(' ', coalesce(docket, '-'), coalesce(usdot, 0), authority_class,
  coalesce(served_on::text, '?'), coalesce(effective_on::text, '?')) AS thing
WHERE coalesce(docket, usdot::text) IS NOT NULL
ORDER BY thing, order_type;

-- The newest filing of a policy counts, of several amounts the highest.
WITH read AS (
  SELECT
    coalesce(held.docket, recount.motus_docket(docket_number, usdot_number)) AS docket,
    recount.usdot(usdot_number) AS usdot,
    upper(recount.tidy(ins_type_code)) AS type_code,
    recount.policy(policy_no) AS policy,
    recount.tidy(policy_no) AS policy_no,
    recount.at_most(120, recount.tidy(insurance_company_name)) AS insurer,
    upper(recount.tidy(ins_form_code)) AS form_code,
    upper(recount.tidy(ins_class_code)) AS class_code,
    recount.tidy(max_cov_amount)::float AS max_coverage,
    recount.day(effective_date, today) AS effective_on,
    recount.day(trans_date, today) AS filed_on
  FROM recount.plain_motus_insur CROSS JOIN recount.import_day
  LEFT JOIN recount.policy_docket AS held ON held.named = recount.motus_docket(docket_number, usdot_number)
    AND held.usdot = recount.usdot(usdot_number)
  WHERE recount.motus_docket(docket_number, usdot_number) IS NOT NULL
    -- A removal row names nothing but the docket.
    AND coalesce(recount.policy(policy_no), '') || coalesce(recount.tidy(insurance_company_name), '') <> ''
),
policy AS (
  SELECT DISTINCT ON (docket, type_code, policy) * FROM read
  ORDER BY docket, type_code, policy, filed_on DESC NULLS LAST, max_coverage DESC NULLS LAST,
    effective_on DESC NULLS LAST, usdot
)
INSERT INTO recount.said
SELECT 'motus_insur', concat_ws(' ', docket, type_code, policy), usdot, docket,
  jsonb_build_object('insurance_type', type_code, 'policy_no', policy), 'insurance', field, value, form,
  field = 'policy', filed_on, NULL
FROM policy
CROSS JOIN LATERAL (VALUES
  ('policy', jsonb_build_object('policy_no', policy_no, 'insurer', insurer, 'form_code', form_code,
    'class_code', class_code, 'max_coverage', max_coverage, 'effective_on', effective_on, 'filed_on', filed_on), NULL),
  ('insurer', to_jsonb(insurer), pg_temp.bare(insurer)),
  ('form_code', to_jsonb(form_code), form_code),
  ('class_code', to_jsonb(class_code), class_code),
  ('max_coverage', to_jsonb(max_coverage), max_coverage::text),
  ('effective_on', to_jsonb(effective_on), effective_on::text)
) AS told (field, value, form);

WITH read AS (
  SELECT
    coalesce(held.docket, recount.motus_docket(docket_number, usdot_number)) AS docket,
    recount.usdot(usdot_number) AS usdot,
    upper(recount.tidy(ins_type_code)) AS type_code,
    recount.policy(policy_no) AS policy,
    recount.tidy(policy_no) AS policy_no,
    recount.at_most(120, recount.tidy(insurance_company_name)) AS insurer,
    coalesce(upper(recount.tidy(filing_status_reason)), 'unknown') AS filing_status,
    recount.day(effective_date, today) AS effective_on,
    recount.day(cancl_effective_date, today) AS cancelled_on
  FROM recount.plain_motus_inshist CROSS JOIN recount.import_day
  LEFT JOIN recount.policy_docket AS held ON held.named = recount.motus_docket(docket_number, usdot_number)
    AND held.usdot = recount.usdot(usdot_number)
  WHERE recount.motus_docket(docket_number, usdot_number) IS NOT NULL
    AND coalesce(recount.policy(policy_no), '') || coalesce(recount.tidy(insurance_company_name), '') <> ''
)
INSERT INTO recount.said
SELECT DISTINCT ON (thing) 'motus_inshist', thing, usdot, docket,
  jsonb_build_object('insurance_type', type_code, 'policy_no', policy), 'insurance', 'policy_end',
  jsonb_build_object('policy_no', policy_no, 'insurer', insurer, 'filing_status', filing_status,
    'cancelled_on', cancelled_on),
  NULL, true, cancelled_on, NULL
FROM read
CROSS JOIN LATERAL concat_ws(' ', docket, type_code, policy, filing_status, coalesce(cancelled_on::text, '?')) AS thing
ORDER BY thing, effective_on DESC NULLS LAST, usdot;

-- Of the rows about one order, the one without rescission counts, else the first rescission.
WITH issued AS (
  SELECT DISTINCT ON (usdot, ordered_on) * FROM recount.out_of_service_order
  ORDER BY usdot, ordered_on, coalesce(rescinded_on, '-infinity'), reason
)
INSERT INTO recount.said
SELECT 'oos_order', concat_ws(' ', usdot, coalesce(ordered_on::text, '?')), usdot, NULL,
  jsonb_build_object('ordered_on', ordered_on), 'out_of_service', field, value, form, field = 'out_of_service_order',
  CASE WHEN rescinded_on IS NULL THEN ordered_on ELSE rescinded_on END, NULL
FROM issued
CROSS JOIN LATERAL (VALUES
  ('out_of_service_order',
    jsonb_build_object('ordered_on', ordered_on, 'reason', reason, 'rescinded_on', rescinded_on), NULL),
  ('rescinded_on', to_jsonb(rescinded_on), rescinded_on::text),
  ('reason', to_jsonb(reason), pg_temp.bare(reason))
) AS told (field, value, form);

CREATE TABLE IF NOT EXISTS recount.said_before (LIKE recount.said);
CREATE INDEX ON recount.said (source, thing);
ANALYZE recount.said, recount.said_before;
DROP FUNCTION pg_temp.bare;
