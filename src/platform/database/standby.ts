// A standby of the database, from which versions of feeds are read. It may lag or be down: whoever reads there reads at
// the primary instead when that fails.
import * as sql from "../../generated/sql/platform/database.ts";
import type { Standby } from "../context.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";
import { createPool } from "./pool.ts";

export interface StandbyOptions {
  url: string;
  log: Log;
  poolSizes: { requests: number; bulk: number };
  namesStatements: boolean;
  metrics?: Pick<Metrics, "standbyReads"> | undefined;
}

/** A request waits for the standby no longer than this, since the primary can answer. */
const ACQUIRE_TIMEOUT_MS = 500;
const STATEMENT_TIMEOUT_MS = 500;

const ASK_AGAIN_MS = 1_000;

/** Opens the pools without a connection. The standby counts as down until `ask` finds that it answers. */
export function openStandby({ url, log, poolSizes, namesStatements, metrics }: StandbyOptions): Standby {
  const shared = { url, log, namesStatements, acquireTimeoutMs: ACQUIRE_TIMEOUT_MS };
  const pool = createPool({ ...shared, size: poolSizes.requests, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const bulkPool = createPool({ ...shared, size: poolSizes.bulk });
  let state: "unknown" | "up" | "down" | "closed" = "unknown";
  let timer: NodeJS.Timeout | undefined;

  const goDown = (reason: string) => {
    if (state === "down" || state === "closed") return;
    state = "down";
    log.warn({ reason }, "The standby of DATABASE_READ_URL does not answer. Its reads go to DATABASE_URL.");
    askLater();
  };
  const askLater = () => {
    timer = setTimeout(() => void ask(), ASK_AGAIN_MS).unref();
  };
  const ask = async () => {
    try {
      await sql.readClock(pool);
    } catch (error) {
      if (state === "down") askLater();
      else goDown((error as Error).message);
      return;
    }
    if (state === "down") log.info("The standby of DATABASE_READ_URL answers again.");
    if (state !== "closed") state = "up";
  };
  return {
    pool,
    bulkPool,
    isUp: () => state === "up",
    noteFailure: (error) => {
      const known = toDatabaseError(error);
      if (known instanceof DatabaseUnavailableError) goDown(known.message);
    },
    countRead: (outcome) => metrics?.standbyReads.inc({ outcome }),
    ask,
    close: async () => {
      state = "closed";
      clearTimeout(timer);
      await Promise.all([pool.end(), bulkPool.end()]);
    },
  };
}
