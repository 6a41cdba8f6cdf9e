import * as sql from "../../generated/sql/platform/database.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../context.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { OperatorError } from "../operator-error.ts";

/** A clock that follows the database's clock until `stop` is called. */
export interface RunningClock {
  clock: Clock;
  stop(): void;
}

interface Needs {
  db: Database;
  log: Log;
  metrics: Metrics;
}

/** How often the database's clock is read, and how soon again when it seems to have jumped. */
const MEASURE_EVERY_MS = 10_000;
const CONFIRM_AFTER_MS = 3_000;
/** A larger change of the database's clock counts only when the next reading confirms it. */
const JUMP_MS = 1_000;
const WORTH_A_WARNING_MS = 30_000;

/** One reading of the database's clock, on the scale of performance.now(). */
interface Measured {
  offsetMs: number;
  /** The possible error of the offset: the exact moment at which the database read its clock is unknown. */
  uncertaintyMs: number;
}

/**
 * Follows the database's time, which is the same for all processes. Between two readings, this machine's monotonic clock
 * counts on. So a change of this machine's time of day never reaches counters, leases or quotas that processes share.
 * OperatorError when the two clocks differ by more than 30 s at the start.
 */
export async function startDatabaseClock(
  { db, log, metrics }: Needs,
  { measureEveryMs = MEASURE_EVERY_MS, confirmAfterMs = CONFIRM_AFTER_MS } = {},
): Promise<RunningClock> {
  await checkClockSkew(db, { now: () => new Date() });
  let { offsetMs } = await measure(db);
  let suspectedMs: number | null = null;
  let isFarOff = false;

  const compare = async () => {
    const measured = await measure(db);
    const errorMs = measured.offsetMs - offsetMs;
    const isJump = Math.abs(errorMs) > JUMP_MS + measured.uncertaintyMs;
    if (isJump && !isConfirmed(suspectedMs, measured)) {
      suspectedMs = measured.offsetMs;
      setTimeout(look, confirmAfterMs).unref();
      return;
    }
    suspectedMs = null;
    if (isJump) log.warn({ byMs: Math.round(errorMs) }, "The database's clock was changed.");
    // A difference within the uncertainty may be no difference.
    if (Math.abs(errorMs) > measured.uncertaintyMs) offsetMs = measured.offsetMs;
    const skewMs = offsetMs + performance.now() - Date.now();
    metrics.clockSkewSeconds.set(skewMs / 1000);
    const wasFarOff = isFarOff;
    isFarOff = Math.abs(skewMs) > WORTH_A_WARNING_MS;
    if (isFarOff && !wasFarOff) {
      log.warn(
        { aheadMs: Math.round(skewMs) },
        "The database's clock and this machine's clock differ. Synchronise both by NTP.",
      );
    }
  };
  // One reading at a time: of two, the older one could end last and look like a jump back.
  let isLooking = false;
  const look = () => {
    if (isLooking) return;
    isLooking = true;
    compare()
      .catch((error) => log.debug({ err: error }, "The database's clock could not be read."))
      .finally(() => {
        isLooking = false;
      });
  };
  const timer = setInterval(look, measureEveryMs);
  timer.unref();
  return {
    clock: { now: () => new Date(offsetMs + performance.now()) },
    stop: () => clearInterval(timer),
  };
}

const isConfirmed = (suspectedMs: number | null, { offsetMs, uncertaintyMs }: Measured): boolean =>
  suspectedMs !== null && Math.abs(offsetMs - suspectedMs) <= JUMP_MS + uncertaintyMs;

async function measure({ pool }: Database): Promise<Measured> {
  const askedMs = performance.now();
  const { now } = await sql.readClock(pool);
  const uncertaintyMs = (performance.now() - askedMs) / 2;
  return { offsetMs: now.getTime() - askedMs - uncertaintyMs, uncertaintyMs };
}

/** The most that this machine's clock and the database's clock may differ. */
const CLOCK_SKEW_LIMIT_MS = 30_000;

/** Throws an OperatorError when this machine's clock and the database's differ by more than 30 s. */
export async function checkClockSkew(db: Pick<Database, "pool">, clock: Clock): Promise<void> {
  const { now: databaseTime } = await sql.readClock(db.pool);
  const skewMs = databaseTime.getTime() - clock.now().getTime();
  if (Math.abs(skewMs) <= CLOCK_SKEW_LIMIT_MS) return;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const direction = skewMs > 0 ? "behind" : "ahead of";
  throw new OperatorError(
    `This machine's clock is ${seconds} s ${direction} the database's. Synchronise both by NTP and start again.`,
  );
}
