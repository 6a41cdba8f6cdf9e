import { setTimeout as wait } from "node:timers/promises";
import { isRunByNpm, readEnvironment } from "../../platform/config/config.ts";
import type { Log } from "../../platform/log.ts";

const PARENT_CHECK_MS = 250;

/** Waits for a signal to stop. A second signal ends the process at once. */
export async function stopSignal(log: Log): Promise<void> {
  const signal = await stopAsked();
  log.info({ signal }, "Stopping.");
  process.once(signal, () => process.exit(1));
}

/** Waits for a signal to stop. Later ones are ignored. */
export const stopAsked = (): Promise<NodeJS.Signals> =>
  Promise.race([
    ...(["SIGINT", "SIGTERM"] as const).map(
      (name) => new Promise<NodeJS.Signals>((resolve) => process.on(name, resolve)),
    ),
    ...(isRunByNpm(readEnvironment()) ? [endOfParent()] : []),
  ]);

// npm sends a signal to the shell that runs the script. The shell ends without passing the signal on.
async function endOfParent(): Promise<NodeJS.Signals> {
  const parent = process.ppid;
  while (process.ppid === parent) await wait(PARENT_CHECK_MS, undefined, { ref: false });
  return "SIGTERM";
}
