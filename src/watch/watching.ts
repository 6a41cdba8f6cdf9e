import type { Context } from "../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../platform/database/database-error.ts";
import { repeatEvery } from "../platform/repeat.ts";
import { raiseAlarms } from "./alarms.ts";
import { watchEverything } from "./metrics.ts";
import { openPresence, type ProcessKind } from "./processes.ts";

const LOOK_EVERY_MS = 60_000;

/**
 * Adds the metrics of the whole service to this process, and looks each minute for alarms, until the returned function is
 * called. Any number of processes may do so.
 */
export function startWatching(context: Context, kind: ProcessKind): () => Promise<void> {
  watchEverything(context);
  const presence = openPresence(context, kind);
  const look = async () => {
    try {
      await presence.say();
      await raiseAlarms(context);
    } catch (error) {
      const isOutage = toDatabaseError(error) instanceof DatabaseUnavailableError;
      context.log[isOutage ? "warn" : "error"](
        { err: error },
        "Alarms could not be looked for. Trying again.",
      );
    }
  };
  const stop = repeatEvery(LOOK_EVERY_MS, look);
  return async () => {
    await stop();
    await presence.end().catch(() => {});
  };
}
