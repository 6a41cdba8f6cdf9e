import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import type { Log } from "../log.ts";
import { OperatorError } from "../operator-error.ts";
import { NotYetError } from "./launch.ts";

/** How long the first join may take before the start fails. */
const FIRST_JOIN_MS = 300_000;

const PAUSE_MS = { shortest: 50, longest: 1_000 };

/** How long a wait is normal. A longer one is logged, at growing intervals. */
const USUAL_WAIT_MS = 5_000;

/** Joins a server that may be starting, stopping or crashing. OperatorError when that takes too long or can't succeed. */
export async function joinFirst<T>(attempt: () => Promise<T>, log: Log): Promise<T> {
  const report = reporter(log);
  try {
    return await pRetry(attempt, {
      retries: Number.POSITIVE_INFINITY,
      maxRetryTime: FIRST_JOIN_MS,
      minTimeout: PAUSE_MS.shortest,
      maxTimeout: PAUSE_MS.longest,
      shouldRetry: ({ error }) => error instanceof NotYetError,
      onFailedAttempt: ({ error }) => {
        if (error instanceof NotYetError) report(error);
      },
    });
  } catch (error) {
    if (!(error instanceof NotYetError)) throw error;
    throw new OperatorError(`The embedded PostgreSQL can't be used: ${error.message}`, { cause: error });
  }
}

/**
 * Joins again for as long as it takes, whatever the error. Processes of a killed server may block the next one for
 * minutes, and a full disk blocks it until somebody frees space. Null once `signal` is aborted.
 */
export async function untilJoined<T>(
  attempt: () => Promise<T>,
  log: Log,
  signal: AbortSignal,
): Promise<T | null> {
  const report = reporter(log);
  for (let pauseMs = PAUSE_MS.shortest; !signal.aborted; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest)) {
    try {
      return await attempt();
    } catch (error) {
      report(error);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
  return null;
}

/**
 * Logs why the server can't be started: a lasting reason at once, a temporary one after the normal wait, and both again
 * each time the wait has doubled.
 */
function reporter(log: Log): (error: unknown) => void {
  const startedAt = performance.now();
  let nextMs = 0;
  return (error) => {
    const waitedMs = performance.now() - startedAt;
    const isTemporary = error instanceof NotYetError;
    const isDue = waitedMs >= (isTemporary ? Math.max(nextMs, USUAL_WAIT_MS) : nextMs);
    if (isDue) nextMs = Math.max(USUAL_WAIT_MS, waitedMs * 2);
    const level = !isDue ? "debug" : isTemporary ? "warn" : "error";
    log[level]({ err: error }, "The embedded PostgreSQL can't be started yet. Trying again.");
  };
}
