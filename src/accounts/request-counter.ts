import type { Context } from "../platform/context.ts";
import type { Database } from "../platform/db.ts";
import { loadSql } from "../platform/sql.ts";
import type { Caller } from "./caller.ts";
import { monthStartOf } from "./months.ts";

const FLUSH_EVERY_MS = 1000;
const COUNTS_SQL = loadSql(import.meta.url, "request-counts.sql");
const LAST_USED_SQL = loadSql(import.meta.url, "key-last-used.sql");

interface Counted {
  accountId: number;
  month: string;
  requests: number;
}

interface Counter {
  /** By account and month. */
  counts: Map<string, Counted>;
  lastUsed: Map<string, Date>;
  /** Ends when no flush is under way. */
  flushing: Promise<void>;
}

const counters = new WeakMap<Database, Counter>();

function counterOf(db: Database): Counter {
  const existing = counters.get(db);
  if (existing) return existing;
  const counter: Counter = { counts: new Map(), lastUsed: new Map(), flushing: Promise.resolve() };
  counters.set(db, counter);
  return counter;
}

/**
 * Counts a request that passed its key and rate limit, in memory: the count decides nothing, so it need not cost a
 * statement of its own. A process that is killed loses at most its last second.
 */
export function countRequest(context: Context, caller: Caller): void {
  const now = context.clock.now();
  const counter = counterOf(context.db);
  add(counter.counts, { accountId: caller.accountId, month: monthStartOf(now), requests: 1 });
  counter.lastUsed.set(caller.keyId, now);
}

/** Writes what was counted. When the database refuses, the counts stay and the next flush takes them along. */
export function flushRequests(context: Context): Promise<void> {
  const counter = counterOf(context.db);
  // After the flush under way, not beside it: who reads next must find the counts that one has taken.
  const flush = counter.flushing.then(() => write(context.db, counter));
  counter.flushing = flush.catch(() => {});
  return flush;
}

/** Flushes every second until the answered function is called, which flushes a last time. */
export function startRequestCounter(context: Context): () => Promise<void> {
  const flush = () =>
    flushRequests(context).catch((error) =>
      context.log.warn({ err: error }, "requests not counted yet, kept"),
    );
  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await flush();
  };
}

async function write(db: Database, counter: Counter): Promise<void> {
  const counts = [...counter.counts.values()];
  counter.counts = new Map();
  try {
    if (counts.length > 0) {
      await db.pool.query(COUNTS_SQL, [
        counts.map((counted) => counted.accountId),
        counts.map((counted) => counted.month),
        counts.map((counted) => counted.requests),
      ]);
    }
  } catch (error) {
    for (const counted of counts) add(counter.counts, counted);
    throw error;
  }
  await writeLastUsed(db, counter);
}

async function writeLastUsed(db: Database, counter: Counter): Promise<void> {
  const lastUsed = [...counter.lastUsed];
  if (lastUsed.length === 0) return;
  counter.lastUsed = new Map();
  await db.pool.query(LAST_USED_SQL, [
    lastUsed.map(([keyId]) => keyId),
    lastUsed.map(([, usedAt]) => usedAt),
  ]);
}

function add(counts: Map<string, Counted>, counted: Counted): void {
  const name = `${counted.accountId} ${counted.month}`;
  const requests = (counts.get(name)?.requests ?? 0) + counted.requests;
  counts.set(name, { ...counted, requests });
}
