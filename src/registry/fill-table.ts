import type pg from "pg";

interface Index {
  /** How it comes back. */
  statement: string;
  /** How it goes. */
  removal: string;
}

/** With fewer rows than this, dropping and rebuilding the indexes saves no time. */
const ROWS_WORTH_FILLING = 20_000;

/** Whether a table is empty and the other one has many rows for it. */
export async function canBeFilled(client: pg.ClientBase, table: string, from: string): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM ${table})
       AND (SELECT count(*) FROM (SELECT FROM ${from} LIMIT $1) AS first_rows) = $1 AS can`,
    [ROWS_WORTH_FILLING],
  );
  return rows[0]?.can ?? false;
}

/**
 * Copies these columns of all rows of the table `from` into an empty table. Its indexes, also that of its key, are
 * dropped before and built after the copy, which takes a fraction of the time. Readers of the table wait until the
 * transaction ends.
 */
export async function fillTable(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  from: string,
): Promise<number> {
  const { rows: indexes } = await client.query<Index>(
    `SELECT
       CASE WHEN conname IS NULL THEN pg_get_indexdef(indexrelid)
         ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', indrelid::regclass, conname,
           pg_get_constraintdef(pg_constraint.oid)) END AS statement,
       CASE WHEN conname IS NULL THEN format('DROP INDEX %s', indexrelid::regclass)
         ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', indrelid::regclass, conname) END AS removal
     FROM pg_index LEFT JOIN pg_constraint ON conindid = indexrelid AND conrelid = indrelid
     WHERE indrelid = $1::regclass ORDER BY conname, indexrelid`,
    [table],
  );
  for (const { removal } of indexes) await client.query(removal);
  // With wal_level minimal, PostgreSQL does not log the copy into a table that the same transaction truncated.
  await client.query(`TRUNCATE ${table}`);
  const { rowCount } = await client.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${from}`);
  for (const { statement } of indexes) await client.query(statement);
  return rowCount ?? 0;
}
