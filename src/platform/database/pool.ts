import pg from "pg";
import type { Log } from "../log.ts";

export interface PoolOptions {
  url: string;
  log: Log;
  /** The level at which a lost connection is logged; warn unless given. */
  lostLevel?: "warn" | "debug";
  /** The most connections at once. */
  size: number;
  /** How many stay open when nobody uses them: opening one takes several times as long as a request. None unless given. */
  keptOpen?: number;
  /** The name under which the server lists the connections; APPLICATION_NAME unless given. */
  name?: string | undefined;
  /** How long to wait for a free connection, or for a new one. */
  acquireTimeoutMs: number;
  /** How long one statement may take; absent: no limit. */
  statementTimeoutMs?: number;
  /** False: no statement is prepared under a name, for poolers that don't know names. */
  namesStatements?: boolean;
}

/** After this time a connection is replaced, which frees its prepared statements and the server's memory for it. */
const CONNECTION_LIFETIME_SECONDS = 3_600;

/** How much later than the server we give up waiting for an answer. It matters when the network loses the answer. */
const ANSWER_GRACE_MS = 500;

/** Creates a pool with sessions in UTC. A broken connection never ends the process. */
export function createPool({
  url,
  log,
  lostLevel = "warn",
  size,
  keptOpen = 0,
  name = APPLICATION_NAME,
  acquireTimeoutMs,
  statementTimeoutMs = 0,
  namesStatements = true,
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url, statementTimeoutMs),
    application_name: name,
    max: size,
    min: Math.min(keptOpen, size),
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
    types: { getTypeParser },
    ...(!namesStatements && { Client: NamelessClient }),
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + ANSWER_GRACE_MS }),
  });
  // The pool handles errors of idle connections only. An error of a busy connection would end the process.
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      // While the pool closes, a stopping server may cut connections that are closing anyway.
      if (!pool.ending) log[lostLevel]({ err: error }, "A database connection was lost.");
    });
  });
  // The same error again; it is already logged above.
  pool.on("error", () => {});
  return pool;
}

/** The name under which the server lists this program's connections. */
export const APPLICATION_NAME = "tdf";

/** A client that runs each statement without a name, so that nothing of it stays in the session. */
class NamelessClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg declares many forms of the call, which all pass through.
  override query(...[config, ...rest]: any[]): any {
    const isNamed = typeof config === "object" && config !== null && "name" in config && "text" in config;
    return super.query(isNamed ? { ...config, name: undefined } : config, ...(rest as []));
  }
}

/** The options of every connection, in addition to those in the address. */
export function connectionTo(url: string, statementTimeoutMs = 0): pg.ClientConfig {
  const address = new URL(url);
  const asked = address.searchParams.get("options");
  address.searchParams.delete("options");
  // A restore finds the other processes by this program's own name.
  address.searchParams.delete("application_name");
  // pg takes these modes as verify-full, and prints a warning about that.
  if (/^(prefer|require|verify-ca)$/.test(address.searchParams.get("sslmode") ?? ""))
    address.searchParams.set("sslmode", "verify-full");
  return {
    connectionString: address.href,
    // Prisma's adapter drops the offset of a timestamptz, so a session in another zone would shift times.
    // JIT compilation of an import's long statements took ten times as long as running them.
    // A limit for the role, which a pooler may need, is not meant for imports.
    options: [asked, "-c TimeZone=UTC -c jit=off", `-c statement_timeout=${statementTimeoutMs}`]
      .filter(Boolean)
      .join(" "),
    application_name: APPLICATION_NAME,
    keepAlive: true,
  };
}

const { INT8, DATE, TIMESTAMPTZ } = pg.types.builtins;
const [INT8_ARRAY, DATE_ARRAY, TEXT_ARRAY] = [1016, 1182, 1009];

/** Reads bigint as a number and date as YYYY-MM-DD text; the rest as pg does (numeric stays text). */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") => {
  // Nothing asks for `binary`, but pg's type requires it.
  if (format === "binary") return pg.types.getTypeParser(oid, format);
  if (oid === INT8) return safeNumber;
  if (oid === DATE) return (text: string) => text;
  if (oid === INT8_ARRAY) return (text: string) => textArray(text).map((item) => item && safeNumber(item));
  if (oid === DATE_ARRAY) return textArray;
  return pg.types.getTypeParser(oid);
};

/** Reads a timestamptz that a statement returned inside of another value, as text. */
export const timeOf = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;

const textArray = (text: string): (string | null)[] => pg.types.getTypeParser(TEXT_ARRAY)(text);

function safeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} does not fit into a number.`);
  return value;
}
