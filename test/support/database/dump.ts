import type { Database } from "../../../src/platform/context.ts";

/** The contents of a database: a hash of each table's rows, and the last value of each sequence. */
export async function dump({ pool }: Pick<Database, "pool">): Promise<Record<string, unknown>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
       -- Its rows are those of its partitions.
       AND format('%I.%I', schemaname, tablename)::regclass NOT IN (SELECT partrelid FROM pg_partitioned_table)
     ORDER BY name`,
  );
  // One statement: most tables are empty, and each statement costs more than to read them.
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*)::int AS rows,
         coalesce(sum(hashtextextended(t::text, 0)), 0) AS hash FROM ${name} AS t`,
  );
  const { rows: contents } = await pool.query<{ name: string }>(parts.join(" UNION ALL "));
  const held: Record<string, unknown> = Object.fromEntries(contents.map(({ name, ...rest }) => [name, rest]));
  const { rows: sequences } = await pool.query<{ name: string; value: string }>(
    "SELECT schemaname || '.' || sequencename AS name, last_value AS value FROM pg_sequences ORDER BY name",
  );
  for (const { name, value } of sequences) held[name] = value;
  return held;
}
