import type { Context } from "../../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../../platform/database/database-error.ts";

/** Something that is done again and again until it is stopped. */
export interface Repetition {
  /** Does it now instead of waiting. */
  wake(): void;
  /** Waits for the step under way; none follows. */
  stop(): Promise<void>;
}

const BACK_OFF_MS = { first: 250, longest: 5_000 };

/**
 * Repeats a step, which gives how many milliseconds the next one may wait. An error is logged once, until a step has
 * gone well again; meanwhile steps come ever more rarely. `name` stands in the log.
 */
export function repeat({ log }: Context, name: string, step: () => Promise<number>): Repetition {
  let isStopping = false;
  let wake = () => {};
  let backOffMs = 0;
  const safeStep = async (): Promise<number> => {
    try {
      const waitMs = await step();
      if (backOffMs > 0) log.info({ task: name }, "Deliveries go on.");
      backOffMs = 0;
      return waitMs;
    } catch (thrown) {
      const error = toDatabaseError(thrown);
      const level = error instanceof DatabaseUnavailableError ? "warn" : "error";
      if (backOffMs === 0) log[level]({ task: name, err: error }, "Deliveries wait; this is tried again.");
      backOffMs = Math.min(Math.max(backOffMs * 2, BACK_OFF_MS.first), BACK_OFF_MS.longest);
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
      // Whoever woke it during the step, or while it backs off from an error, has news the step may not have seen.
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
