import { dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/database/db.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Caller } from "../keys/caller.ts";
import { keyLastUsed } from "../keys/statements.ts";
import { warnOfQuota } from "./quota-warnings.ts";
import * as sql from "./statements.ts";

const FLUSH_EVERY_MS = 1000;

interface Amounts {
  requests: number;
  apiRows: number;
  exportRows: number;
}

interface Counted extends Amounts {
  accountId: number;
  keyId: string;
  day: string;
}

interface Counter {
  /** By account, key and day. */
  counts: Map<string, Counted>;
  lastUsed: Map<string, Date>;
  /** Ends when no flush is under way. */
  flushing: Promise<void>;
}

const counterOf = perDatabase(
  (): Counter => ({ counts: new Map(), lastUsed: new Map(), flushing: Promise.resolve() }),
);

/**
 * Counts a request that passed its key and rate limit, in memory: the count decides nothing, so it need not cost a
 * statement of its own. A process that is killed loses at most its last second.
 */
export function countRequest(context: Context, caller: Caller): void {
  const now = context.clock.now();
  count(context, caller, now, { requests: 1 });
  counterOf(context.db).lastUsed.set(caller.keyId, now);
}

/** Counts rows that were charged (or, negative, given back) to their day and key: the account's month has them already. */
export const countRows = (
  context: Context,
  caller: Caller,
  rows: Pick<Amounts, "apiRows"> | Pick<Amounts, "exportRows">,
): void => count(context, caller, context.clock.now(), rows);

function count(context: Context, { accountId, keyId }: Caller, now: Date, amounts: Partial<Amounts>): void {
  const nothing = { requests: 0, apiRows: 0, exportRows: 0 };
  add(counterOf(context.db).counts, { accountId, keyId, day: dayOf(now), ...nothing, ...amounts });
}

/** Writes what was counted. When the database refuses, the counts stay and the next flush takes them along. */
export function flushUsage(context: Context): Promise<void> {
  const counter = counterOf(context.db);
  // After the flush under way, not beside it: who reads next must find the counts that one has taken.
  const flush = counter.flushing.then(() => write(context, counter));
  counter.flushing = flush.catch(() => {});
  return flush;
}

/** Flushes every second until the answered function is called, which flushes a last time. */
export function startUsageCounter(context: Context): () => Promise<void> {
  const flush = () =>
    flushUsage(context).catch((error) => context.log.warn({ err: error }, "usage not counted yet, kept"));
  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await flush();
  };
}

async function write(context: Context, counter: Counter): Promise<void> {
  const counts = [...counter.counts.values()];
  counter.counts = new Map();
  try {
    if (counts.length > 0) {
      await sql.usageCounts.run(context.db.pool, {
        accountIds: counts.map(({ accountId }) => accountId),
        days: counts.map(({ day }) => day),
        keyIds: counts.map(({ keyId }) => keyId),
        requests: counts.map(({ requests }) => requests),
        apiRows: counts.map(({ apiRows }) => apiRows),
        exportRows: counts.map(({ exportRows }) => exportRows),
      });
    }
  } catch (error) {
    for (const counted of counts) add(counter.counts, counted);
    throw error;
  }
  await writeLastUsed(context.db, counter);
  await warnOfQuota(context, [
    ...new Set(counts.flatMap((each) => (each.apiRows + each.exportRows > 0 ? each.accountId : []))),
  ]);
}

async function writeLastUsed(db: Database, counter: Counter): Promise<void> {
  const lastUsed = [...counter.lastUsed];
  if (lastUsed.length === 0) return;
  counter.lastUsed = new Map();
  await keyLastUsed.run(db.pool, {
    keyIds: lastUsed.map(([keyId]) => keyId),
    usedAt: lastUsed.map(([, usedAt]) => usedAt),
  });
}

function add(counts: Map<string, Counted>, counted: Counted): void {
  const name = `${counted.accountId} ${counted.keyId} ${counted.day}`;
  const before = counts.get(name);
  counts.set(name, {
    ...counted,
    requests: (before?.requests ?? 0) + counted.requests,
    apiRows: (before?.apiRows ?? 0) + counted.apiRows,
    exportRows: (before?.exportRows ?? 0) + counted.exportRows,
  });
}
