-- params: states, counties, timeZones
-- after: open-county-time-zones.sql
INSERT INTO county_time_zone (state, county_fips, time_zone)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
