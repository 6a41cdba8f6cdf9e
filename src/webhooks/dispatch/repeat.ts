import type { Context } from "../../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../../platform/database/database-error.ts";

/** A pause that can be ended early. */
export class Pause {
  #isEnded = false;
  #wake = () => {};

  /** Ends the pause; or the next one at once, unless this is forgotten before. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  forget(): void {
    this.#isEnded = false;
  }

  async wait(ms: number): Promise<void> {
    if (this.#isEnded) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }
}

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
  const pause = new Pause();
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
  const run = async () => {
    while (!isStopping) {
      // A wake-up during the step may announce news that the step did not see.
      pause.forget();
      const waitMs = await safeStep();
      // A back-off is not cut short by it.
      if (backOffMs > 0) pause.forget();
      if (!isStopping && waitMs > 0) await pause.wait(waitMs);
    }
  };
  const running = run();
  return {
    wake: () => {
      if (backOffMs === 0) pause.end();
    },
    stop: async () => {
      isStopping = true;
      pause.end();
      await running;
    },
  };
}
