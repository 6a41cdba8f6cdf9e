// Upkeep clears the tables of the list, each about once an hour, whichever process is first. All state is in the table
// upkeep: a process that dies leaves a lease that ends.

import * as sql from "../generated/sql/retention.ts";
import { DAY_MS, HOUR_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../platform/database/database-error.ts";
import { repeatEvery } from "../platform/repeat.ts";
import { clear, oldestOf } from "./clear.ts";
import { KEPT_TABLES, type KeptTable } from "./kept-tables.ts";

/** How often a table is cleared. */
const EVERY_MS = HOUR_MS;
/** How often a process looks whether a table is due. */
const LOOK_EVERY_MS = 5 * 60_000;
/** Renewed after each step. */
const LEASE_MS = 10 * 60_000;

interface UpkeepOptions {
  /** The whole list unless given. */
  tables?: readonly KeptTable[];
  /** Asked before each step. */
  isStopping?: () => boolean;
}

/** Clears the tables that are due. Returns the names of the cleared tables. Failures are logged, table by table. */
export async function keepTables(
  context: Context,
  { tables = KEPT_TABLES, isStopping = () => false }: UpkeepOptions = {},
): Promise<string[]> {
  const cleared: string[] = [];
  for (const kept of tables) {
    if (isStopping()) break;
    try {
      if (await keepTable(context, kept, isStopping)) cleared.push(kept.table);
    } catch (thrown) {
      const error = toDatabaseError(thrown);
      const isOutage = error instanceof DatabaseUnavailableError;
      const level = isOutage ? "warn" : "error";
      context.log[level](
        { err: error, table: kept.table },
        "A table could not be cleared. It is tried again.",
      );
      if (isOutage) break;
    }
  }
  return cleared;
}

async function keepTable(context: Context, kept: KeptTable, isStopping: () => boolean): Promise<boolean> {
  const { db, clock, config } = context;
  const { table } = kept;
  const now = clock.now();
  const rowCount = await sql.claimTable(db.pool, {
    table,
    now,
    clearedBefore: new Date(now.getTime() - EVERY_MS),
    leaseUntil: new Date(now.getTime() + LEASE_MS),
  });
  if (rowCount === 0) return false;
  let isDone = false;
  try {
    const goesOn = async () => {
      if (isStopping()) return false;
      await sql.renewClaim(db.pool, {
        table,
        leaseUntil: new Date(clock.now().getTime() + LEASE_MS),
      });
      return true;
    };
    isDone = await clear(context, kept, { before: keptSince(kept, config.retentionDays, now), goesOn });
    return isDone;
  } finally {
    const oldestAt = isDone ? await oldestOf(context, kept) : null;
    await sql.endClaim(db.pool, { table, finishedAt: isDone ? now : null, oldestAt });
  }
}

/** Rows of before this time are past their retention. */
function keptSince({ keeps }: KeptTable, days: Context["config"]["retentionDays"], now: Date): Date {
  const ms = typeof keeps === "string" ? days[keeps] * DAY_MS : keeps.hours * HOUR_MS;
  return new Date(now.getTime() - ms);
}

/** Clears now and then whenever a table is due, until the returned function is called, which waits for the running step. */
export function startUpkeep(
  context: Context,
  tables: readonly KeptTable[] = KEPT_TABLES,
): () => Promise<void> {
  let isStopping = false;
  const stop = repeatEvery(LOOK_EVERY_MS, () =>
    keepTables(context, { tables, isStopping: () => isStopping }),
  );
  return () => {
    isStopping = true;
    return stop();
  };
}
