import type pg from "pg";

interface Index {
  /** How it comes back. */
  statement: string;
  /** How it goes. */
  removal: string;
}

/** From this many rows on, filling an empty table is worth its while. */
const ROWS_WORTH_FILLING = 20_000;

/** Whether a table is empty, and what another has for it is much. */
export async function canBeFilled(client: pg.ClientBase, table: string, from: string): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM ${table})
       AND (SELECT count(*) FROM (SELECT FROM ${from} LIMIT $1) AS first_rows) = $1 AS can`,
    [ROWS_WORTH_FILLING],
  );
  return rows[0]?.can ?? false;
}

/**
 * Copies these columns of all rows of the table `from` into an empty table. Its indexes, its key among them, are dropped
 * before and built after: from all the rows at once that takes a fraction of the time. Readers of the table wait until
 * the transaction ends.
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
  // Emptied in the same transaction, a table is not written to the log, too, where the server's wal_level allows it.
  await client.query(`TRUNCATE ${table}`);
  const { rowCount } = await client.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${from}`);
  for (const { statement } of indexes) await client.query(statement);
  return rowCount ?? 0;
}
