-- The census as the recount reads it, without repeated rows.
DROP TABLE IF EXISTS recount.census;
CREATE TABLE recount.census AS
SELECT DISTINCT ON (recount.usdot(dot_number))
  recount.usdot(dot_number) AS usdot,
  upper(recount.tidy(status_code)) AS status_code,
  recount.at_most(120, recount.tidy(legal_name)) AS legal_name, recount.at_most(120, recount.tidy(dba_name)) AS dba_name,
  recount.at_most(50, recount.tidy(phy_street)) AS street, recount.at_most(30, recount.tidy(phy_city)) AS city,
  recount.state(phy_state) AS state,
  CASE WHEN length(recount.tidy(phy_zip)) <= 10 THEN recount.tidy(phy_zip) END AS zip,
  lpad(nullif(recount.amount(phy_cnty), 0)::text, 3, '0') AS county,
  recount.country(phy_country, phy_state) AS country,
  recount.phone(phone) AS phone, recount.phone(cell_phone) AS cell_phone,
  recount.email(email_address) AS email,
  recount.amount(power_units) AS power_units,
  recount.amount(total_drivers) AS drivers,
  recount.is_yes(crgo_genfreight) AS general_freight,
  CASE recount.words(carrier_operation)
    WHEN 'A' THEN 'interstate' WHEN 'B' THEN 'intrastate_hm' WHEN 'C' THEN 'intrastate'
  END AS carrier_operation,
  CASE recount.words(hm_ind) WHEN 'Y' THEN true WHEN 'N' THEN false END AS hazmat,
  nullif(array_remove(ARRAY [
    CASE WHEN recount.is_yes(crgo_genfreight) THEN 'general_freight' END,
    CASE WHEN recount.is_yes(crgo_household) THEN 'household_goods' END,
    CASE WHEN recount.is_yes(crgo_metalsheet) THEN 'metal' END,
    CASE WHEN recount.is_yes(crgo_motoveh) THEN 'motor_vehicles' END,
    CASE WHEN recount.is_yes(crgo_drivetow) THEN 'drive_away' END,
    CASE WHEN recount.is_yes(crgo_logpole) THEN 'logs' END,
    CASE WHEN recount.is_yes(crgo_bldgmat) THEN 'building_materials' END,
    CASE WHEN recount.is_yes(crgo_mobilehome) THEN 'mobile_homes' END,
    CASE WHEN recount.is_yes(crgo_machlrg) THEN 'machinery' END,
    CASE WHEN recount.is_yes(crgo_produce) THEN 'produce' END,
    CASE WHEN recount.is_yes(crgo_liqgas) THEN 'liquids_gases' END,
    CASE WHEN recount.is_yes(crgo_intermodal) THEN 'intermodal' END,
    CASE WHEN recount.is_yes(crgo_passengers) THEN 'passengers' END,
    CASE WHEN recount.is_yes(crgo_oilfield) THEN 'oilfield' END,
    CASE WHEN recount.is_yes(crgo_livestock) THEN 'livestock' END,
    CASE WHEN recount.is_yes(crgo_grainfeed) THEN 'grain_feed' END,
    CASE WHEN recount.is_yes(crgo_coalcoke) THEN 'coal_coke' END,
    CASE WHEN recount.is_yes(crgo_meat) THEN 'meat' END,
    CASE WHEN recount.is_yes(crgo_garbage) THEN 'garbage' END,
    CASE WHEN recount.is_yes(crgo_usmail) THEN 'us_mail' END,
    CASE WHEN recount.is_yes(crgo_chem) THEN 'chemicals' END,
    CASE WHEN recount.is_yes(crgo_drybulk) THEN 'dry_bulk' END,
    CASE WHEN recount.is_yes(crgo_coldfood) THEN 'refrigerated_food' END,
    CASE WHEN recount.is_yes(crgo_beverages) THEN 'beverages' END,
    CASE WHEN recount.is_yes(crgo_paperprod) THEN 'paper' END,
    CASE WHEN recount.is_yes(crgo_utility) THEN 'utilities' END,
    CASE WHEN recount.is_yes(crgo_farmsupp) THEN 'farm_supplies' END,
    CASE WHEN recount.is_yes(crgo_construct) THEN 'construction' END,
    CASE WHEN recount.is_yes(crgo_waterwell) THEN 'water_well' END,
    CASE WHEN recount.is_yes(crgo_cargoothr) THEN 'other' END
  ], NULL), '{}') AS cargo,
  CASE recount.words(safety_rating)
    WHEN 'S' THEN 'satisfactory' WHEN 'C' THEN 'conditional' WHEN 'U' THEN 'unsatisfactory'
  END AS safety_rating,
  recount.past_day(safety_rating_date, today) AS safety_rating_date,
  recount.past_day(mcs150_date, today) AS mcs150_date,
  -- 0 miles of no year are not a mileage.
  CASE WHEN recount.miles(mcs150_mileage) > 0
      OR recount.miles(mcs150_mileage_year) BETWEEN 1970 AND extract(year FROM today)
    THEN recount.miles(mcs150_mileage) END AS annual_mileage,
  CASE WHEN recount.miles(mcs150_mileage_year) BETWEEN 1970 AND extract(year FROM today)
    THEN recount.miles(mcs150_mileage_year) END AS mileage_year,
  -- The placeholder of old numbers.
  nullif(recount.past_day(add_date, today), DATE '1974-06-01') AS usdot_added,
  CASE recount.words(business_org_id)
    WHEN '1' THEN true
    WHEN '2' THEN false
    WHEN '3' THEN false
    ELSE NOT recount.sounds_like_a_firm(legal_name)
  END AS is_individual
FROM recount.plain_census CROSS JOIN recount.import_day
WHERE recount.usdot(dot_number) IS NOT NULL AND upper(recount.tidy(status_code)) IN ('A', 'I', 'P')
ORDER BY recount.usdot(dot_number), line;
CREATE INDEX ON recount.census (usdot);
