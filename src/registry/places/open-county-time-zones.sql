-- params: none
CREATE TEMP TABLE county_time_zone (state text, county_fips text, time_zone text, PRIMARY KEY (state, county_fips))
ON COMMIT DROP
