-- name: makeCompanies :exec
-- One row per USDOT number with an authority that is active or was suspended lately: the columns of a company
-- that feeds show or their rules read. Facts come from the census; if it has no row, from the authority's own file
-- (registry_*).
-- params: stateCodes, cargoWords
-- reads: suspension, removed_business, removed_contact, zone_of_place
-- makes: company
CREATE TEMP TABLE company ON COMMIT DROP AS
WITH holder AS (
  SELECT DISTINCT ON (usdot) *
  FROM authority
  WHERE status = 'active' OR (docket, authority_class, usdot) IN (SELECT docket, authority_class, usdot FROM suspension)
  ORDER BY usdot,
-- include: filingOrder
),
filed AS (
  SELECT
    holder.usdot,
    census.usdot IS NOT NULL AS is_in_census,
    census.status_code,
    CASE WHEN census.usdot IS NULL THEN holder.registry_street ELSE census.street END AS street,
    CASE WHEN census.usdot IS NULL THEN holder.registry_city ELSE census.city END AS city,
    CASE WHEN census.usdot IS NULL THEN holder.registry_zip ELSE census.zip END AS zip,
    census.county_fips,
    CASE WHEN census.usdot IS NULL THEN holder.registry_country ELSE census.country END AS country,
    coalesce(census.phone, holder.registry_phone) AS filed_phone,
    census.cell_phone AS filed_cell_phone,
    census.email AS filed_email,
    -- Whether this company is among those that filed_contact counts for its own phone, or e-mail.
    coalesce(census.status_code, 'A') = 'A'
      AND (census.phone IS NOT NULL OR holder.status = 'active' OR census.cell_phone = holder.registry_phone)
      IS TRUE AS counts_for_phone,
    census.status_code = 'A' AS counts_for_email,
    census.power_units,
    census.drivers,
    census.general_freight,
    CASE census.carrier_operation
      WHEN 'A' THEN 'interstate' WHEN 'B' THEN 'intrastate_hm' WHEN 'C' THEN 'intrastate' END AS carrier_operation,
    census.hazmat,
    census.cargo AS cargo_bits,
    census.safety_rating,
    CASE WHEN census.safety_rating IS NOT NULL THEN census.safety_rating_on END AS safety_rating_date,
    census.updated_on AS mcs150_date,
    census.annual_mileage,
    census.mileage_year,
    -- The registry put this day where it did not know one.
    nullif(census.added_on, DATE '1974-06-01') AS usdot_added,
    census.is_individual,
-- include: filedName
  FROM holder LEFT JOIN census USING (usdot)
),
-- The words of each set of bits: many companies have the same.
cargo_list AS (
  SELECT cargo_bits, array_agg(word ORDER BY number) AS cargo
  FROM (SELECT DISTINCT cargo_bits FROM filed WHERE cargo_bits IS NOT NULL) AS known
  JOIN unnest($2::text[]) WITH ORDINALITY AS named (word, number) ON cargo_bits & (1 << (number::integer - 1)) <> 0
  GROUP BY cargo_bits
),
-- A contact that many companies share, an agent's, or one on the removal list is blanked. The company stays.
blanked AS (
  SELECT value FROM shared_contact
  UNION
  SELECT value FROM agent_contact WHERE kind IN ('phone', 'email')
  UNION
  SELECT value FROM removed_contact
)
SELECT
  usdot AS company_usdot, is_in_census, status_code, company, dba_name, street, city,
  -- Files that passed through a spreadsheet lack leading zeros.
  CASE
    WHEN filed_state IN ('CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT') AND zip ~ '^[0-9]{4}(-?[0-9]{4})?$' THEN '0' || zip
    WHEN filed_state IN ('PR', 'VI') AND zip ~ '^[0-9]{3}(-?[0-9]{4})?$' THEN '00' || zip
    ELSE zip
  END AS zip,
  country, power_units, drivers,
  general_freight, carrier_operation, hazmat, cargo, safety_rating, safety_rating_date, mcs150_date, annual_mileage,
  mileage_year, usdot_added, is_individual,
  CASE WHEN filed_phone IS NOT NULL
    THEN coalesce(phone_filers.usdot_count - counts_for_phone::integer, 0) END AS phone_shared_by,
  CASE WHEN filed_email IS NOT NULL
    THEN coalesce(email_filers.usdot_count - counts_for_email::integer, 0) END AS email_shared_by,
  is_us_company(usdot, country, company) AS is_us_company,
  CASE WHEN filed_state IN (SELECT unnest($1::text[])) THEN filed_state END AS state,
  coalesce(of_county.time_zone, of_state.time_zone) AS time_zone,
  CASE WHEN filed_phone NOT IN (SELECT value FROM blanked) THEN filed_phone END AS phone,
  CASE WHEN filed_cell_phone NOT IN (SELECT value FROM blanked) THEN filed_cell_phone END AS cell_phone,
  CASE WHEN filed_email NOT IN (SELECT value FROM blanked)
    AND split_part(filed_email, '@', 2) NOT IN (SELECT value FROM agent_contact WHERE kind = 'email_domain')
    THEN filed_email END AS email
FROM filed
LEFT JOIN cargo_list USING (cargo_bits)
LEFT JOIN filed_contact AS phone_filers ON phone_filers.value = filed_phone
LEFT JOIN filed_contact AS email_filers ON email_filers.value = filed_email
LEFT JOIN zone_of_place AS of_county ON of_county.state = filed.filed_state AND of_county.county_fips = filed.county_fips
LEFT JOIN zone_of_place AS of_state ON of_state.state = filed.filed_state AND of_state.county_fips = '';
