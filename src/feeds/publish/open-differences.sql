-- The records that a version of a feed has no more, and the cells that differ. The tables are emptied for each feed
-- instead of made anew: the commit tells every connection about each table and column that was made or dropped.
-- params: none
CREATE TEMP TABLE IF NOT EXISTS removed_record
  (name text, usdot integer, docket text, row_position integer, before jsonb, after jsonb)
ON COMMIT DROP;
CREATE TEMP TABLE IF NOT EXISTS changed_cell
  (usdot integer, pos_now integer, docket text, name text, before jsonb, after jsonb)
ON COMMIT DROP;
TRUNCATE removed_record, changed_cell
