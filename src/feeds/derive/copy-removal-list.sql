-- Copies the removal list to temporary tables and replaces earlier copies.
-- params: none
DROP TABLE IF EXISTS removed_business, removed_contact;
CREATE TEMP TABLE removed_business ON COMMIT DROP AS SELECT usdot, removed_at FROM removal_list_business;
CREATE TEMP TABLE removed_contact ON COMMIT DROP AS SELECT value, removed_at FROM removal_list_contact
