// Clears one table of the list. Names and conditions are those of kept-tables.ts. Partitions by month (UTC) are in schema
// partitions; the function make_partitions of the database makes them, in migrations too.

import type pg from "pg";
import * as sql from "../generated/sql/retention.ts";
import type { Context } from "../platform/context.ts";
import { dynamic } from "../platform/database/statement.ts";
import type { KeptTable } from "./kept-tables.ts";

const ROWS_AT_ONCE = 5_000;

/**
 * Deletes what is past. Returns false when something is left for the next call: others kept a table locked, or `goesOn`,
 * which is asked after each step, said no.
 */
export async function clear(
  context: Pick<Context, "db" | "clock">,
  kept: KeptTable,
  { before, goesOn }: { before: Date; goesOn: () => Promise<boolean> },
): Promise<boolean> {
  if (kept.by === "months") {
    const made = await makePartitions(context, kept.table);
    const neededSince = await kept.neededSince?.(context);
    const dropped = await dropPartitions(context, {
      table: kept.table,
      before: neededSince && neededSince < before ? neededSince : before,
    });
    return made !== null && dropped !== null;
  }
  const { by } = kept;
  const step = by === "rows" ? deleteRows(kept) : by;
  for (;;) {
    const cleared = await unlessLocked(
      context.db.bulkTransaction(async (client) => {
        await sql.waitBriefly(client);
        return step(client, { before, most: ROWS_AT_ONCE });
      }),
    );
    if (cleared === null) return false;
    if (cleared < ROWS_AT_ONCE) return true;
    if (!(await goesOn())) return false;
  }
}

const deleteRows =
  ({ table, time, except = "false" }: KeptTable): Exclude<KeptTable["by"], string> =>
  async (client, { before, most }) => {
    const { rowCount } = await dynamic(
      client,
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM ${table} WHERE ${time} < $1::timestamptz AND NOT (${except}) LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, most],
    );
    return rowCount;
  };

/**
 * Makes the partitions that a table lacks: this month's, the next two, and those of rows in its default partition.
 * Returns how many; null when others kept the table locked. Any number of processes may call it at once.
 */
export async function makePartitions(
  { db, clock }: Pick<Context, "db" | "clock">,
  table: string,
): Promise<number | null> {
  return unlessLocked(
    db.bulkTransaction(async (client) => {
      await sql.waitBriefly(client);
      return (await sql.makePartitions(client, { table, now: clock.now() })).made;
    }),
  );
}

/**
 * Drops the partitions of whole months before a time. Returns their names; null when others kept one of them locked.
 * Another call drops the rest.
 */
export async function dropPartitions(
  { db }: Pick<Context, "db">,
  { table, before }: { table: string; before: Date },
): Promise<string[] | null> {
  const rows = await sql.listMonths(db.bulkPool, { table, before });
  const dropped: string[] = [];
  for (const { name } of rows) {
    const isDropped = await unlessLocked(
      db.bulkTransaction(async (client) => {
        await sql.waitBriefly(client);
        await sql.dropPartition(client, { name });
        return true;
      }),
    );
    if (isDropped === null) return null;
    dropped.push(name);
  }
  return dropped;
}

const LOCK_NOT_AVAILABLE = "55P03";

/** The result of work that waits briefly for locks; null when others kept something locked. */
const unlessLocked = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: pg.DatabaseError) => {
    if (error.code === LOCK_NOT_AVAILABLE) return null;
    throw error;
  });

/** The time of the oldest row; null when there is none. Of a partitioned table it reads the first month that has rows. */
export async function oldestOf(
  { db }: Pick<Context, "db">,
  { table, time, by }: Pick<KeptTable, "table" | "time" | "by">,
): Promise<Date | null> {
  const parts = by === "months" ? await partitionsOf(db.bulkPool, table) : [table];
  for (const part of parts) {
    const { rows } = await dynamic(
      db.bulkPool,
      `SELECT min(${time})::timestamptz AS oldest FROM ${part} AS ${table}`,
    );
    const [found] = rows as { oldest: Date | null }[];
    if (found?.oldest) return found.oldest;
  }
  return null;
}

async function partitionsOf(client: Parameters<typeof dynamic>[0], table: string): Promise<string[]> {
  const rows = await sql.listMonths(client, { table, before: null });
  return rows.map(({ name }) => name);
}
