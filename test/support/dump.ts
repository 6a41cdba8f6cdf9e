import type { Database } from "../../src/platform/database/db.ts";

/** The contents of a database: a hash of each table's rows, and the last value of each sequence. */
export async function dump({ pool }: Pick<Database, "pool">): Promise<Record<string, unknown>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
       -- Its rows are those of its partitions.
       AND format('%I.%I', schemaname, tablename)::regclass NOT IN (SELECT partrelid FROM pg_partitioned_table)
     ORDER BY name`,
  );
  const held: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `SELECT count(*)::int AS rows, md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS hash FROM ${name} AS t`,
    );
    held[name] = rows[0];
  }
  const { rows: sequences } = await pool.query<{ name: string; value: string }>(
    "SELECT schemaname || '.' || sequencename AS name, last_value AS value FROM pg_sequences ORDER BY name",
  );
  for (const { name, value } of sequences) held[name] = value;
  return held;
}
