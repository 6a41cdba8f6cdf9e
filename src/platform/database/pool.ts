import pg from "pg";
import type { Log } from "../log.ts";

export interface PoolOptions {
  url: string;
  log: Log;
  /** The most connections at once. */
  size: number;
  /** How long to wait for a free connection, or for a new one. */
  acquireTimeoutMs: number;
  /** How long one statement may take; absent means without an end. */
  statementTimeoutMs?: number;
}

/** What a connection has prepared, and what the server remembers for it, goes with it. */
const CONNECTION_LIFETIME_SECONDS = 3_600;

/** How much later than the server this side gives up on an answer: it matters when the network swallows it. */
const ANSWER_GRACE_MS = 500;

/** A pool whose sessions speak UTC, and whose dying connections never end the process. */
export function createPool({ url, log, size, acquireTimeoutMs, statementTimeoutMs }: PoolOptions): pg.Pool {
  const limits = statementTimeoutMs
    ? { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + ANSWER_GRACE_MS }
    : {};
  const pool = new pg.Pool({
    ...connectionTo(url),
    max: size,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
    types: { getTypeParser },
    ...limits,
  });
  // The pool listens to a connection's errors only while it is idle: one that dies at work would throw.
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      // Once the pool is closing, a server that goes down cuts what is on its way out: nothing is lost.
      if (!pool.ending) log.warn({ err: error }, "A database connection was lost.");
    });
  });
  // The same error again, after the line above has logged it.
  pool.on("error", () => {});
  return pool;
}

/** What every connection of ours is opened with, on top of what the address itself asks for. */
export function connectionTo(url: string): pg.ClientConfig {
  const address = new URL(url);
  const asked = address.searchParams.get("options");
  address.searchParams.delete("options");
  return {
    connectionString: address.href,
    // Prisma's adapter cuts the offset off a timestamptz, so a session that is not UTC would shift times.
    // An import's long statements run once: compiling them took ten times as long as running them.
    options: [asked, "-c TimeZone=UTC -c jit=off"].filter(Boolean).join(" "),
    application_name: "tdf",
    keepAlive: true,
  };
}

const { INT8, DATE } = pg.types.builtins;
const [INT8_ARRAY, DATE_ARRAY, TEXT_ARRAY] = [1016, 1182, 1009];

/** bigint as a number, date as its YYYY-MM-DD text; the rest as pg reads it (numeric stays text). */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") => {
  // `binary` is never asked for, but pg's type wants it handed on.
  if (format === "binary") return pg.types.getTypeParser(oid, format);
  if (oid === INT8) return safeNumber;
  if (oid === DATE) return (text: string) => text;
  if (oid === INT8_ARRAY) return (text: string) => textArray(text).map((item) => item && safeNumber(item));
  if (oid === DATE_ARRAY) return textArray;
  return pg.types.getTypeParser(oid);
};

const textArray = (text: string): (string | null)[] => pg.types.getTypeParser(TEXT_ARRAY)(text);

function safeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} does not fit into a number.`);
  return value;
}
