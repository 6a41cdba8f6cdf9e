-- params: none
-- after: open-differences.sql
SELECT count(DISTINCT pos_now) AS rows FROM changed_cell
