-- The time zone of most counties of each state. The county list does not have three of the Pacific territories, each of
-- which lies in one zone.
-- params: none
-- after: open-county-time-zones.sql
CREATE TEMP TABLE state_time_zone ON COMMIT DROP AS
SELECT state, mode() WITHIN GROUP (ORDER BY time_zone) AS time_zone FROM county_time_zone GROUP BY state
UNION ALL VALUES ('GU', 'Pacific/Guam'), ('AS', 'Pacific/Pago_Pago'), ('MP', 'Pacific/Saipan');
ANALYZE county_time_zone
