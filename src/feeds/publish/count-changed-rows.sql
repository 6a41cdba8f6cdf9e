-- params: none
-- after: open-changed-cells.sql
SELECT count(DISTINCT pos_now) AS rows FROM changed_cell
