import type { Context } from "../platform/context.ts";
import { keepTrying } from "../platform/database/keep-trying.ts";
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
  const work = async () => {
    await presence.say();
    await raiseAlarms(context);
  };
  const failure = "Alarms could not be looked for. Trying again.";
  const stop = keepTrying(context, LOOK_EVERY_MS, { work, failure });
  return async () => {
    await stop();
    await presence.end().catch(() => {});
  };
}
