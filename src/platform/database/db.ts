import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "../../generated/prisma/client.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { OperatorError } from "../operator-error.ts";
import { checkOwnSession, checkSession } from "./check-session.ts";
import { DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";
import { createPool } from "./pool.ts";
import { openStandby, type Standby } from "./standby.ts";
import * as sql from "./statements.ts";
import { begin, commit, rollBack } from "./transaction.ts";
import { whenReachable } from "./when-reachable.ts";

/** Access to PostgreSQL. Errors are those of pg and Prisma; `toDatabaseError` recognises the temporary ones. */
export interface Database {
  /** For requests: a connection within 3 s or an error, at most 5 s per statement. */
  pool: pg.Pool;
  /**
   * For exports, imports and the like: few connections, statements without a time limit. A connection is a session of
   * its own, also when `pool` leads to a pooler.
   */
  bulkPool: pg.Pool;
  /** For connections that are held for hours, such as a dispatcher's; each is a session of its own too. */
  sessionPool: pg.Pool;
  /** Where versions of feeds may be read instead; null without DATABASE_READ_URL. */
  standby: Standby | null;
  /** Prisma on the connections of `pool`. */
  prisma: PrismaClient;
  /** Calls `run` in a transaction on `pool`: commits when it returns, rolls back when it throws. */
  transaction<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** The same on `bulkPool`. */
  bulkTransaction<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** Waits for the connections in use, then closes all. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** The server itself, when `url` leads to a pooler. */
  directUrl?: string | null;
  /** A standby of the server. */
  readUrl?: string | null;
  /** False for a pooler that does not know names of prepared statements. */
  namesStatements?: boolean;
  log: Log;
  /** Where reads at the standby are counted. */
  metrics?: Metrics;
  /** By default POOL_SIZES. */
  poolSizes?: { requests: number; bulk: number };
  /** How long to wait for a server that does not answer; by default 30 s. */
  connectTimeoutMs?: number | undefined;
}

/** How long one statement of a request may take. */
const STATEMENT_TIMEOUT_MS = 5_000;
const MOST_SESSIONS = 8;
/** The most connections that a process opens for requests, and for exports, imports and the like. */
export const POOL_SIZES = { requests: 20, bulk: 4 };

/**
 * Connects, and waits for a server that is starting. OperatorError when it does not answer in time or refuses, or when its
 * sessions would give wrong times.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, log, poolSizes = POOL_SIZES } = options;
  const { namesStatements = true } = options;
  const directUrl = options.directUrl ?? url;
  const pool = createPool({
    url,
    log,
    size: poolSizes.requests,
    keptOpen: 3,
    acquireTimeoutMs: 3_000,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    namesStatements,
  });
  const bulkPool = createPool({
    url: directUrl,
    log,
    size: poolSizes.bulk,
    namesStatements,
    acquireTimeoutMs: 30_000,
  });
  const sessionPool = createPool({
    url: directUrl,
    log,
    size: MOST_SESSIONS,
    namesStatements,
    acquireTimeoutMs: 3_000,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const standby = options.readUrl
    ? openStandby({ url: options.readUrl, log, poolSizes, namesStatements, metrics: options.metrics })
    : null;
  const database: Database = {
    pool,
    bulkPool,
    sessionPool,
    standby,
    prisma,
    transaction: (run) => transactionOn(pool, run),
    bulkTransaction: (run) => transactionOn(bulkPool, run),
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([pool.end(), bulkPool.end(), sessionPool.end(), standby?.close()]);
    },
  };
  try {
    await whenReachable(() => sql.readClock.run(pool), log, options.connectTimeoutMs);
    await checkSession(pool, { log, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    await checkOwnSession(directUrl === url ? pool : bulkPool, log);
    await standby?.ask();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function transactionOn<T>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await begin(client);
    const result = await run(client);
    await commit(client);
    client.release();
    return result;
  } catch (error) {
    client.release(await failureToRollBack(client, error));
    throw error;
  }
}

/** Rolls back. When that fails, returns an error, so that the pool drops the connection. */
async function failureToRollBack(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  // After a statement timeout, a ROLLBACK would wait just as long.
  const known = toDatabaseError(error);
  if (known instanceof DatabaseUnavailableError) return known;
  try {
    await rollBack(client);
    return undefined;
  } catch (rollbackError) {
    return rollbackError as Error;
  }
}

/** The most that this machine's clock and the database's clock may differ. */
const CLOCK_SKEW_LIMIT_MS = 30_000;

/** Throws an OperatorError when this machine's clock and the database's differ by more than 30 s. */
export async function checkClockSkew(db: Pick<Database, "pool">, clock: Clock): Promise<void> {
  const { rows } = await sql.readClock.run(db.pool);
  const databaseTime = rows[0]?.now ?? new Date(Number.NaN);
  const skewMs = databaseTime.getTime() - clock.now().getTime();
  if (Math.abs(skewMs) <= CLOCK_SKEW_LIMIT_MS) return;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const direction = skewMs > 0 ? "behind" : "ahead of";
  throw new OperatorError(
    `This machine's clock is ${seconds} s ${direction} the database's. Synchronise both by NTP and start again.`,
  );
}
