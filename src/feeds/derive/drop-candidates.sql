-- Drops the temporary tables of another as-of day.
-- params: none
DROP TABLE IF EXISTS suspension, county_time_zone, state_time_zone, company, policy_on_file, pending_cancellation,
  legacy_filing, cancellation_count, candidate
