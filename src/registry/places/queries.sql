-- name: insertCountyTimeZones :exec
-- params: states, counties, timeZones
-- reads: county_time_zone
INSERT INTO county_time_zone (state, county_fips, time_zone)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[]);

-- name: openCountyTimeZones :exec
-- makes: county_time_zone
CREATE TEMP TABLE county_time_zone (state text, county_fips text, time_zone text, PRIMARY KEY (state, county_fips))
ON COMMIT DROP;

-- name: openStateTimeZones :exec
-- The time zone of most counties of each state. The county list does not have three of the Pacific territories, each of
-- which lies in one zone.
-- reads: county_time_zone
-- makes: state_time_zone
CREATE TEMP TABLE state_time_zone ON COMMIT DROP AS
SELECT state, mode() WITHIN GROUP (ORDER BY time_zone) AS time_zone FROM county_time_zone GROUP BY state
UNION ALL VALUES ('GU', 'Pacific/Guam'), ('AS', 'Pacific/Pago_Pago'), ('MP', 'Pacific/Saipan');
ANALYZE county_time_zone;
