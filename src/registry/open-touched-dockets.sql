-- Dockets whose authorities may have changed, and the rows of Motus AuthHist that this import inserted and deleted.
-- params: none
CREATE TEMP TABLE touched_docket (docket text) ON COMMIT DROP;
CREATE TEMP TABLE new_authhist (row_id uuid PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE deleted_authhist (LIKE motus_authhist) ON COMMIT DROP
