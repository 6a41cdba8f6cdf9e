-- Whether the rows of a version's table have record ids: those of an earlier release have none.
-- params: table
SELECT EXISTS (
  SELECT FROM pg_attribute WHERE attrelid = $1::text::regclass AND attname = 'record_id' AND NOT attisdropped
) AS found
