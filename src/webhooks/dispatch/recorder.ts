import type { Context } from "../../platform/context.ts";
import type { Attempt } from "./attempt.ts";
import { recordAttempts } from "./record.ts";
import { repeat } from "./repeat.ts";

/** Records finished attempts, many in one statement. */
export interface Recorder {
  add(attempt: Attempt): void;
  /** Records the remaining attempts. Gives up after `graceMs`; then their leases end by themselves. */
  stop(graceMs: number): Promise<void>;
}

const AT_ONCE = 500;
/** How long attempts gather: a statement costs about the same for a few more of them. */
const GATHER_MS = 1;
const IDLE_MS = 60_000;

/** Starts to record. `onRecorded` is called with every recorded batch, whose slots are free then. */
export function startRecorder(
  context: Context,
  onRecorded: (attempts: readonly Attempt[]) => void,
): Recorder {
  const ended: Attempt[] = [];
  const recordSome = async () => {
    const some = ended.slice(0, AT_ONCE);
    if (some.length === 0) return;
    await recordAttempts(context, some, context.clock.now());
    ended.splice(0, some.length);
    onRecorded(some);
  };
  const recording = repeat(context, "record", async () => {
    await recordSome();
    if (ended.length >= AT_ONCE) return 0;
    return ended.length > 0 ? GATHER_MS : IDLE_MS;
  });
  return {
    add: (attempt) => {
      ended.push(attempt);
      if (ended.length === 1) recording.wake();
    },
    stop: async (graceMs) => {
      const deadline = performance.now() + graceMs;
      await recording.stop();
      try {
        while (ended.length > 0 && performance.now() < deadline) await recordSome();
      } catch (error) {
        context.log.warn(
          { err: error, attempts: ended.length },
          "Attempts could not be recorded; their deliveries will be sent again.",
        );
      }
    },
  };
}
