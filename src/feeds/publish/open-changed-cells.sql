-- The cells that differ between two versions of a feed, in place of those of another feed.
-- params: none
DROP TABLE IF EXISTS changed_cell;
CREATE TEMP TABLE changed_cell (usdot integer, pos_now integer, docket text, name text, before jsonb, after jsonb)
ON COMMIT DROP
