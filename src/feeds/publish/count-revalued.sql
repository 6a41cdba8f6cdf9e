-- By column, the cells that had a value in both versions.
-- params: none
-- after: open-differences.sql
-- never null: name
SELECT name, count(*)::int AS rows FROM changed_cell WHERE before <> 'null' AND after <> 'null' GROUP BY name
