import pRetry from "p-retry";
import { DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";
import type { Log } from "./log.ts";
import { OperatorError } from "./operator-error.ts";

/**
 * Runs `ask` against a server that may still be coming up, again and again until it answers. OperatorError when it
 * does not within the time (30 s unless given), or at once when it answers that it will not have us.
 */
export async function whenReachable<T>(ask: () => Promise<T>, log: Log, timeoutMs = 30_000): Promise<T> {
  const attempt = async () => {
    try {
      return await ask();
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
  try {
    return await pRetry(attempt, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 100,
      maxTimeout: 2_000,
      maxRetryTime: timeoutMs,
      shouldRetry: ({ error }) => error instanceof DatabaseUnavailableError,
      onFailedAttempt: ({ error, attemptNumber }) => {
        if (attemptNumber === 1) log.info({ reason: error.message }, "Waiting for the database.");
      },
    });
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, "");
    throw new OperatorError(`${reason}. Check DATABASE_URL and that the server runs.`, { cause: error });
  }
}
