import type { Log } from "../log.ts";
import { repeatEvery } from "../repeat.ts";
import { DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";

/**
 * Runs `work` as `repeatEvery` does, although it may fail: then `failure`, a sentence, is logged, as a warning while the
 * database is away and as an error otherwise, and the next run tries again.
 */
export const keepTrying = (
  { log }: { log: Log },
  everyMs: number,
  { work, failure }: { work: () => Promise<unknown>; failure: string },
): (() => Promise<void>) =>
  repeatEvery(everyMs, async () => {
    try {
      await work();
    } catch (error) {
      const isOutage = toDatabaseError(error) instanceof DatabaseUnavailableError;
      log[isOutage ? "warn" : "error"]({ err: error }, failure);
    }
  });
