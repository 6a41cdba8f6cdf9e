-- The partitions of tables whose rows come by time: one for each month (UTC), and a default.
CREATE SCHEMA "partitions";

-- Makes the partitions that a table lacks, and gives how many: the default, which takes every row whose month has no
-- partition; the month of "now" and the two after it; and the months of rows that the default has, which move there.
-- The table is partitioned by the range of one column, of type date or timestamptz. Partitions get the names
-- partitions.<table>_<year>_<month> and partitions.<table>_default. Processes that call it at once do so one by one.
CREATE FUNCTION "make_partitions"("parent" regclass, "now" timestamptz) RETURNS integer LANGUAGE plpgsql
SET TimeZone = 'UTC' AS $$
DECLARE
  "base" text := (SELECT relname FROM pg_class WHERE oid = "parent");
  "other" text := format('partitions.%I', "base" || '_default');
  "time" text := (
    SELECT quote_ident(attname) FROM pg_partitioned_table JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
    WHERE partrelid = "parent");
  "month" timestamp;
  "name" text;
  "made" integer := 0;
BEGIN
  IF "time" IS NULL THEN
    RAISE EXCEPTION 'The table % is not partitioned by a column', "parent";
  END IF;
  PERFORM pg_advisory_xact_lock(72707375);
  IF to_regclass("other") IS NULL THEN
    EXECUTE format('CREATE TABLE %s PARTITION OF %s DEFAULT', "other", "parent");
    "made" := 1;
  END IF;
  FOR "month" IN EXECUTE format(
    'SELECT date_trunc(''month'', $1::timestamp) + ahead * interval ''1 month'' FROM generate_series(0, 2) AS ahead
     UNION SELECT date_trunc(''month'', %1$s::timestamp) FROM %2$s WHERE isfinite(%1$s) ORDER BY 1', "time", "other")
    USING "now"
  LOOP
    "name" := format('partitions.%I', "base" || to_char("month", '_YYYY_MM'));
    CONTINUE WHEN to_regclass("name") IS NOT NULL;
    -- Nobody else may put a row of this month into the default between the move and the end.
    EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', "other");
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)', "name", "parent");
    EXECUTE format('WITH moved AS (DELETE FROM ONLY %s WHERE %2$s >= $1 AND %2$s < $2 RETURNING *)
                    INSERT INTO %3$s SELECT * FROM moved', "other", "time", "name")
      USING "month"::timestamptz, ("month" + interval '1 month')::timestamptz;
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', "parent", "name",
      "month"::timestamptz, ("month" + interval '1 month')::timestamptz);
    "made" := "made" + 1;
  END LOOP;
  RETURN "made";
END
$$;
