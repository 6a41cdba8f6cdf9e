import { setTimeout as wait } from "node:timers/promises";
import { isRunByNpm, readEnvironment } from "../../platform/config/config.ts";
import type { Log } from "../../platform/log.ts";
import { STOP_SIGNALS } from "../../platform/stop-signals.ts";

const PARENT_CHECK_MS = 250;

/** How long /readyz of `serve` refuses before the process takes no requests any more. */
export const STOP_NOTICE_MS = 1_000;
/** How long connections without a request stay open after that: a client may just have sent one. */
export const STOP_IDLE_MS = 1_000;
/** How long running requests and deliveries may take after a signal to stop. */
export const STOP_GRACE_MS = 20_000;
/** How long closing may take after that. A statement to a machine that has gone silent may never end. */
export const STOP_CLOSE_MS = 15_000;

/**
 * Waits for a signal to stop. A second signal ends the process at once, and so does the time that a stop may take: `noticeMs`
 * before it begins, and that of requests, deliveries and closing.
 */
export async function stopSignal(log: Log, noticeMs = 0): Promise<void> {
  const signal = await stopAsked();
  log.info({ signal }, "Stopping.");
  process.once(signal, () => process.exit(1));
  const end = () => {
    log.warn("The database did not answer in time, so not everything was closed.");
    process.exit(1);
  };
  setTimeout(end, noticeMs + STOP_GRACE_MS + STOP_CLOSE_MS).unref();
}

/** Waits for a signal to stop. Later ones are ignored. */
export const stopAsked = (): Promise<NodeJS.Signals> =>
  Promise.race([
    ...STOP_SIGNALS.map((name) => new Promise<NodeJS.Signals>((resolve) => process.on(name, resolve))),
    ...(isRunByNpm(readEnvironment()) ? [endOfParent()] : []),
  ]);

// npm sends a signal to the shell that runs the script. The shell ends without passing the signal on.
async function endOfParent(): Promise<NodeJS.Signals> {
  const parent = process.ppid;
  while (process.ppid === parent) await wait(PARENT_CHECK_MS, undefined, { ref: false });
  return "SIGTERM";
}
