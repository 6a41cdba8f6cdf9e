-- Dockets whose authorities may have changed, the rows of Motus AuthHist that this import inserted and deleted, and the
-- keys of put-removal-keys.sql.
-- params: none
CREATE TEMP TABLE touched_docket (docket text) ON COMMIT DROP;
CREATE TEMP TABLE new_authhist (row_id uuid PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE deleted_authhist (LIKE motus_authhist) ON COMMIT DROP;
CREATE TEMP TABLE removal_key (docket text, usdot integer, op_auth_type text) ON COMMIT DROP
