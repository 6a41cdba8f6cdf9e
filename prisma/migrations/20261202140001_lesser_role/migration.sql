-- Processes that serve and dispatch may run under a role that owns no table. Upkeep, which they do, makes and drops
-- partitions and drops versions by these functions, which run with the rights of the owner.

ALTER FUNCTION "make_partitions"(regclass, timestamptz) SECURITY DEFINER;
ALTER FUNCTION "make_partitions"(regclass, timestamptz) SET search_path = pg_catalog, public, pg_temp;

-- Drops a partition by month of a table; no other table.
CREATE FUNCTION "drop_partition"("partition" text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF to_regclass("partition") IS NULL THEN
    RETURN;
  END IF;
  IF NOT EXISTS (
    SELECT FROM pg_class WHERE oid = to_regclass("partition") AND relispartition
      AND relnamespace = 'partitions'::regnamespace AND relname ~ '_\d{4}_\d\d$') THEN
    RAISE EXCEPTION 'The table % is no partition by month', "partition";
  END IF;
  EXECUTE format('DROP TABLE %s', to_regclass("partition"));
END
$$;

-- Drops the rows of a version that is no longer recorded; those of no other version.
CREATE FUNCTION "drop_version"("id" integer) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM feed_version WHERE feed_version.id = "drop_version"."id") THEN
    RAISE EXCEPTION 'The version % is recorded', "id";
  END IF;
  EXECUTE format('DROP TABLE IF EXISTS published.feed_%s', "id");
END
$$;

REVOKE EXECUTE ON FUNCTION "make_partitions"(regclass, timestamptz), "drop_partition"(text), "drop_version"(integer) FROM PUBLIC;
