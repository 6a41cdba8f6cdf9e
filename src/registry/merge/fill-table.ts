import type pg from "pg";
import * as sql from "../../generated/sql/registry/merge.ts";
import { dynamic } from "../../platform/database/statement.ts";

/** With fewer rows than this, dropping and building the indexes saves no time. */
const ROWS_WORTH_FILLING = 20_000;

/** Whether a table is empty and the table `from` has many rows for it. */
export async function canBeFilled(client: pg.ClientBase, table: string, from: string): Promise<boolean> {
  const { rows } = await dynamic(
    client,
    `SELECT NOT EXISTS (SELECT FROM ${table})
       AND (SELECT count(*) FROM (SELECT FROM ${from} LIMIT $1) AS first_rows) = $1 AS can`,
    [ROWS_WORTH_FILLING],
  );
  const [{ can }] = rows as [{ can: boolean }];
  return can;
}

/**
 * Copies these columns of all rows of the table `from` into an empty table. It drops the table's indexes and its key
 * before, and builds them after: building them from all rows at once takes a fraction of the time. Readers of the table
 * wait until the transaction ends.
 */
export async function fillTable(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  from: string,
): Promise<number> {
  const indexes = await sql.listIndexes(client, { table });
  for (const { removal } of indexes) await dynamic(client, removal);
  // The server need not write the rows to its log if the same transaction truncated the table and wal_level is minimal.
  await dynamic(client, `TRUNCATE ${table}`);
  const { rowCount } = await dynamic(
    client,
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${from}`,
  );
  for (const { statement } of indexes) await dynamic(client, statement);
  return rowCount;
}
