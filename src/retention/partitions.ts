// Partitions by month (UTC) of tables whose rows come by time. They are in schema partitions; the function
// make_partitions of the database makes them, in migrations too.
import type pg from "pg";
import type { Context } from "../platform/context.ts";
import { dynamic } from "../platform/database/statement.ts";
import * as sql from "./statements.ts";

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
      await sql.waitBriefly.run(client);
      const { rows } = await sql.makePartitions.run(client, { table, now: clock.now() });
      return rows[0]?.made ?? 0;
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
  const { rows } = await sql.listMonths.run(db.bulkPool, { table, before });
  const dropped: string[] = [];
  for (const { name } of rows) {
    const isDropped = await unlessLocked(
      db.bulkTransaction(async (client) => {
        await sql.waitBriefly.run(client);
        await dynamic(client, `DROP TABLE IF EXISTS ${name}`);
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
export const unlessLocked = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: pg.DatabaseError) => {
    if (error.code === LOCK_NOT_AVAILABLE) return null;
    throw error;
  });
