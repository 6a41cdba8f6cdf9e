import type { Context } from "../../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../../platform/database/database-error.ts";

/** How long a loop sleeps that has nothing to do until its bell rings. */
export const IDLE_MS = 60_000;
const FIRST_BACK_OFF_MS = 250;
const LONGEST_BACK_OFF_MS = 5_000;

/** A wake-up for one loop: other parts ring the bell, and the loop waits for it. */
export class Bell {
  #isRung = false;
  #wake = () => {};

  /** Ends the wait. If nobody waits, the next wait ends at once, unless the ring is cleared before. */
  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Forgets an earlier ring. Call it before you look for the news that the ring may have announced. */
  clear(): void {
    this.#isRung = false;
  }

  /** Waits for a ring, at most this long. */
  async wait(ms: number): Promise<void> {
    if (this.#isRung) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }
}

/** A step that is repeated until the loop is stopped. */
export interface Loop {
  /** Waits for the running step; no other step follows. */
  stop(): Promise<void>;
}

interface LoopOptions {
  /** The task's name in the log. */
  task: string;
  /** A ring starts the next step now. It does not shorten a back-off. */
  bell?: Bell;
  longestBackOffMs?: number;
}

/**
 * Repeats a step. The step returns how many milliseconds to wait before the next one. On errors the loop backs off from
 * 250 ms to 5 s, or `longestBackOffMs`, and logs once per outage.
 */
export function startLoop(
  { log }: Context,
  { task, bell = new Bell(), longestBackOffMs = LONGEST_BACK_OFF_MS }: LoopOptions,
  step: () => Promise<number>,
): Loop {
  let isStopping = false;
  let backOffMs = 0;
  const stopBell = new Bell();

  const stepAndWait = async (): Promise<void> => {
    try {
      const waitMs = await step();
      if (backOffMs > 0) log.info({ task }, "Deliveries continue.");
      backOffMs = 0;
      if (!isStopping && waitMs > 0) await bell.wait(waitMs);
    } catch (thrown) {
      const error = toDatabaseError(thrown);
      const level = error instanceof DatabaseUnavailableError ? "warn" : "error";
      if (backOffMs === 0)
        log[level]({ task, err: error }, "Deliveries are delayed; the task will be tried again.");
      backOffMs = Math.min(Math.max(backOffMs * 2, FIRST_BACK_OFF_MS), longestBackOffMs);
      await stopBell.wait(backOffMs);
    }
  };
  const run = async () => {
    while (!isStopping) {
      bell.clear();
      await stepAndWait();
    }
  };
  const running = run();
  return {
    stop: async () => {
      isStopping = true;
      stopBell.ring();
      bell.ring();
      await running;
    },
  };
}
