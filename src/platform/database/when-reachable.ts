import pRetry from "p-retry";
import type { Log } from "../log.ts";
import { OperatorError } from "../operator-error.ts";
import { DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";

const SOON_MS = 5_000;

/**
 * Calls `ask` until the server answers, with the time that is left. The server may still be starting. OperatorError when
 * it does not answer in time (30 s by default), and at once when it refuses. `setting` names its address.
 */
export async function whenReachable<T>(
  ask: (leftMs: number) => Promise<T>,
  log: Log,
  timeoutMs = 30_000,
  setting = "DATABASE_URL",
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  const attempt = async () => {
    try {
      return await ask(Math.max(1, Math.round(deadline - performance.now())));
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
  // A short wait ends with an error that says the same.
  const level = timeoutMs > SOON_MS ? "warn" : "info";
  try {
    return await pRetry(attempt, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 100,
      maxTimeout: 2_000,
      maxRetryTime: timeoutMs,
      shouldRetry: ({ error }) => error instanceof DatabaseUnavailableError,
      onFailedAttempt: ({ error, attemptNumber }) => {
        if (attemptNumber === 1)
          log[level]({ reason: error.message, timeoutMs }, "Waiting for the database.");
      },
    });
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, "");
    throw new OperatorError(`${reason}. Check ${setting} and that the server runs.`, {
      cause: error,
      solution: error instanceof DatabaseUnavailableError ? "later" : "another-call",
    });
  }
}
