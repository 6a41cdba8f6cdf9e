-- params: table, now
-- never null: made
SELECT make_partitions($1::text::regclass, $2::timestamptz) AS made
