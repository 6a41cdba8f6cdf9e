-- name: openCountyTimeZones :exec
-- From the lines of the county list: state, county, time zone. As arrays they would be quoted anew for each statement.
-- params: lines
-- makes: county_time_zone
CREATE TEMP TABLE IF NOT EXISTS county_time_zone ON COMMIT DROP AS
SELECT split_part(line, ' ', 1) AS state, split_part(line, ' ', 2) AS county_fips, split_part(line, ' ', 3) AS time_zone
FROM string_to_table($1, E'\n') AS line;

-- name: openStateTimeZones :exec
-- The time zone of most counties of each state. The county list does not have three of the Pacific territories, each of
-- which lies in one zone.
-- reads: county_time_zone
-- makes: state_time_zone
CREATE TEMP TABLE IF NOT EXISTS state_time_zone ON COMMIT DROP AS
SELECT state, mode() WITHIN GROUP (ORDER BY time_zone) AS time_zone FROM county_time_zone GROUP BY state
UNION ALL VALUES ('GU', 'Pacific/Guam'), ('AS', 'Pacific/Pago_Pago'), ('MP', 'Pacific/Saipan');
ANALYZE county_time_zone;
