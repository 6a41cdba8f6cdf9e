-- params: none
-- after: copy-removal-list.sql
-- never null: hash
SELECT encode(sha256(convert_to(concat_ws('|',
  (SELECT string_agg(usdot::text, ',' ORDER BY usdot) FROM removed_business),
  (SELECT string_agg(value, ',' ORDER BY value) FROM removed_contact)), 'UTF8')), 'hex') AS hash
