import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../../generated/prisma/client.ts";
import * as sql from "../../generated/sql/platform/database.ts";
import type { Database } from "../context.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { checkOwnSession, checkSession } from "./check-session.ts";
import { createPool } from "./pool.ts";
import { openStandby } from "./standby.ts";
import { transactionOn } from "./transaction.ts";
import { whenReachable } from "./when-reachable.ts";

export interface DatabaseOptions {
  url: string;
  /** The server itself, when `url` leads to a pooler. */
  directUrl?: string | null;
  /** A standby of the server. */
  readUrl?: string | null;
  /** False for a pooler that does not know names of prepared statements. */
  namesStatements?: boolean;
  /** The name under which the server lists the connections, if not that of every process. */
  connectionsNamed?: string | undefined;
  log: Log;
  /** False: whoever uses a connection tells that it was lost. */
  logsLostConnections?: boolean;
  /** Where reads at the standby are counted. */
  metrics?: Metrics;
  /** By default POOL_SIZES. */
  poolSizes?: { requests: number; bulk: number };
  /** How many connections for requests stay open when nobody uses them; 3 unless given. */
  keptOpen?: number;
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
  const { url, log, poolSizes = POOL_SIZES, keptOpen = 3, namesStatements = true } = options;
  const directUrl = options.directUrl ?? url;
  const shared = {
    log,
    namesStatements,
    name: options.connectionsNamed,
    lostLevel: options.logsLostConnections === false ? "debug" : "warn",
  } as const;
  const brief = { ...shared, acquireTimeoutMs: 3_000, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const pool = createPool({ ...brief, url, size: poolSizes.requests, keptOpen });
  const bulkPool = createPool({ ...shared, url: directUrl, size: poolSizes.bulk, acquireTimeoutMs: 30_000 });
  const sessionPool = createPool({ ...brief, url: directUrl, size: MOST_SESSIONS });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const standby = options.readUrl
    ? openStandby({ ...shared, url: options.readUrl, poolSizes, metrics: options.metrics })
    : null;
  const closing: (() => Promise<void>)[] = [];
  const database: Database = {
    get base() {
      return database;
    },
    url: directUrl,
    pool,
    bulkPool,
    sessionPool,
    standby,
    prisma,
    transaction: (run) => transactionOn(pool, run),
    bulkTransaction: (run) => transactionOn(bulkPool, run),
    onClose: (run) => closing.push(run),
    close: async () => {
      await Promise.all(closing.splice(0).map((run) => run()));
      await prisma.$disconnect();
      await Promise.all([pool.end(), bulkPool.end(), sessionPool.end(), standby?.close()]);
    },
  };
  try {
    await whenReachable(() => sql.readClock(pool), log, options.connectTimeoutMs);
    await checkSession(pool, { log, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    await checkOwnSession(directUrl === url ? pool : bulkPool, log);
    await standby?.ask();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
