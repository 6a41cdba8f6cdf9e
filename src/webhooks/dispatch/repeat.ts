import type { Context } from "../../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../../platform/database/database-error.ts";

/** A step that is repeated until it is stopped. */
export interface Repetition {
  /** Ends the pause: the next step runs now. */
  wake(): void;
  /** Waits for the running step; no other step follows. */
  stop(): Promise<void>;
}

const BACK_OFF_MS = { first: 250, longest: 5_000 };

/**
 * Repeats a step. The step returns how many milliseconds to wait before the next one. On errors it backs off from 250 ms
 * to 5 s, or `longestMs`, and logs once per outage. `name` is the task in the log.
 */
export function repeat(
  { log }: Context,
  name: string,
  step: () => Promise<number>,
  { longestMs = BACK_OFF_MS.longest } = {},
): Repetition {
  let isStopping = false;
  let wake = () => {};
  let backOffMs = 0;
  const safeStep = async (): Promise<number> => {
    try {
      const waitMs = await step();
      if (backOffMs > 0) log.info({ task: name }, "Deliveries continue.");
      backOffMs = 0;
      return waitMs;
    } catch (thrown) {
      const error = toDatabaseError(thrown);
      const level = error instanceof DatabaseUnavailableError ? "warn" : "error";
      if (backOffMs === 0)
        log[level]({ task: name, err: error }, "Deliveries are delayed; the task will be tried again.");
      backOffMs = Math.min(Math.max(backOffMs * 2, BACK_OFF_MS.first), longestMs);
      return backOffMs;
    }
  };
  const pause = (waitMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!isStopping) {
      let isWoken = false;
      wake = () => {
        isWoken = true;
      };
      const waitMs = await safeStep();
      // A wake-up during the step may announce news that the step did not see. A back-off is not cut short by it.
      if (!isStopping && waitMs > 0 && !(isWoken && backOffMs === 0)) await pause(waitMs);
    }
  };
  const running = run();
  return {
    wake: () => {
      if (backOffMs === 0) wake();
    },
    stop: async () => {
      isStopping = true;
      wake();
      await running;
    },
  };
}
