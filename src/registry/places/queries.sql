-- name: openTimeZones :exec
-- From lines of state, county, time zone. As arrays they would be quoted anew for each statement.
-- params: lines
-- makes: zone_of_place
CREATE TEMP TABLE IF NOT EXISTS zone_of_place ON COMMIT DROP AS
SELECT split_part(line, ' ', 1) AS state, split_part(line, ' ', 2) AS county_fips, split_part(line, ' ', 3) AS time_zone
FROM string_to_table($1, E'\n') AS line;
