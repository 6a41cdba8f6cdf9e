import { keyLastUsed } from "../../generated/sql/accounts/keys.ts";
import * as sql from "../../generated/sql/accounts/usage.ts";
import { dayOf } from "../../platform/clock.ts";
import type { Context, Database } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Caller } from "../keys/caller.ts";
import { warnOfQuota } from "./quota-warnings.ts";

const FLUSH_EVERY_MS = 1000;

interface Amounts {
  requests: number;
  /** Requests among them that were answered with an error. */
  errors: number;
  /** Requests that were refused before they counted. */
  refused: number;
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
  /** Accounts that used rows since quota warnings were last thought of. */
  charged: Set<number>;
  /** Fulfilled when no counts are being written. */
  writing: Promise<void>;
  /** The writing that begins after the running one. */
  nextWriting: Promise<void> | null;
}

const counters = perDatabase(
  (): Counter => ({
    counts: new Map(),
    lastUsed: new Map(),
    charged: new Set(),
    writing: Promise.resolve(),
    nextWriting: null,
  }),
);

/** The counter that is flushed, also for code inside of an open transaction. */
const counterOf = ({ base }: Database): Counter => counters(base);

/**
 * Counts a request that passed its key and rate limit, in memory. The count decides nothing, so it is written once a
 * second. A killed process loses at most its last second.
 */
export function countRequest(context: Context, caller: Caller): void {
  const now = context.clock.now();
  count(context, caller, now, { requests: 1 });
  counterOf(context.db).lastUsed.set(caller.keyId, now);
}

/**
 * Counts an answer with an error (4xx or 5xx) by day and key. `isCounted` is false when the rate limit or an unknown address
 * refused the request before countRequest.
 */
export const countError = (context: Context, caller: Caller, { isCounted }: { isCounted: boolean }): void =>
  count(context, caller, context.clock.now(), isCounted ? { errors: 1 } : { refused: 1 });

/** Counts charged rows (refunded ones negative) by day and key. The account's month already has them. */
export const countRows = (
  context: Context,
  caller: Caller,
  rows: Pick<Amounts, "apiRows"> | Pick<Amounts, "exportRows">,
  now = context.clock.now(),
): void => count(context, caller, now, rows);

function count(context: Context, { accountId, keyId }: Caller, now: Date, amounts: Partial<Amounts>): void {
  add(counterOf(context.db).counts, { accountId, keyId, day: dayOf(now) }, amounts);
}

/** Writes the counts, for those who read them. If that fails they stay in memory for the next time. */
export function writeCounts(context: Context): Promise<void> {
  const counter = counterOf(context.db);
  // All who ask while counts are written share the next writing. One for each would be a queue that a slow database never ends.
  if (counter.nextWriting) return counter.nextWriting;
  // After a running one, not beside it: the caller then reads the counts that it writes.
  const writing = counter.writing.then(() => {
    counter.nextWriting = null;
    return write(context, counter);
  });
  counter.nextWriting = writing;
  counter.writing = writing.catch(() => {});
  return writing;
}

/**
 * Writes the counts, and what follows from them: when keys were last used, and warnings of quotas. What fails stays in memory for
 * the next time: an account whose rows are used up charges no more, so nothing else would warn it.
 */
export async function flushUsage(context: Context): Promise<void> {
  await writeCounts(context);
  const counter = counterOf(context.db);
  await writeLastUsed(context.db, counter);
  const { charged } = counter;
  counter.charged = new Set();
  try {
    await warnOfQuota(context, [...charged]);
  } catch (error) {
    for (const accountId of charged) counter.charged.add(accountId);
    throw error;
  }
}

/** Flushes every second until the returned function is called, which flushes a last time. */
export function startUsageCounter(context: Context): () => Promise<void> {
  const flush = () =>
    flushUsage(context).catch((error) =>
      context.log.warn({ err: error }, "Usage could not be written yet; it is kept in memory."),
    );
  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await flush();
  };
}

async function write({ db }: Context, counter: Counter): Promise<void> {
  const counts = [...counter.counts.values()];
  if (counts.length === 0) return;
  counter.counts = new Map();
  try {
    await sql.usageCounts(db.pool, {
      accountIds: counts.map(({ accountId }) => accountId),
      days: counts.map(({ day }) => day),
      keyIds: counts.map(({ keyId }) => keyId),
      requests: counts.map(({ requests }) => requests),
      errors: counts.map(({ errors }) => errors),
      refused: counts.map(({ refused }) => refused),
      apiRows: counts.map(({ apiRows }) => apiRows),
      exportRows: counts.map(({ exportRows }) => exportRows),
    });
  } catch (error) {
    for (const counted of counts) add(counter.counts, counted, counted);
    throw error;
  }
  for (const each of counts) if (each.apiRows + each.exportRows > 0) counter.charged.add(each.accountId);
}

async function writeLastUsed(db: Database, counter: Counter): Promise<void> {
  const lastUsed = [...counter.lastUsed];
  if (lastUsed.length === 0) return;
  counter.lastUsed = new Map();
  try {
    await keyLastUsed(db.pool, {
      keyIds: lastUsed.map(([keyId]) => keyId),
      usedAt: lastUsed.map(([, usedAt]) => usedAt),
    });
  } catch (error) {
    counter.lastUsed = new Map([...lastUsed, ...counter.lastUsed]);
    throw error;
  }
}

function add(
  counts: Map<string, Counted>,
  { accountId, keyId, day }: Omit<Counted, keyof Amounts>,
  amounts: Partial<Amounts>,
): void {
  const name = `${accountId} ${keyId} ${day}`;
  let sum = counts.get(name);
  if (sum === undefined) {
    sum = { accountId, keyId, day, requests: 0, errors: 0, refused: 0, apiRows: 0, exportRows: 0 };
    counts.set(name, sum);
  }
  sum.requests += amounts.requests ?? 0;
  sum.errors += amounts.errors ?? 0;
  sum.refused += amounts.refused ?? 0;
  sum.apiRows += amounts.apiRows ?? 0;
  sum.exportRows += amounts.exportRows ?? 0;
}

/** Counts served rows of a feed (or events) for the metrics. HEAD requests receive none. */
export function countServedRows(
  { metrics }: Context,
  caller: Caller,
  labels: { feed: string; form: "json" | "csv" },
  rows: number,
): void {
  if (!caller.isHead) metrics.rowsServed.inc(labels, rows);
}
