import type { Context } from "../../platform/context.ts";
import { type Ended, recordEnded } from "./record.ts";
import { repeat } from "./repeat.ts";

/** Records ended deliveries, many in one statement. */
export interface Recorder {
  add(ended: Ended): void;
  /** Records the rest. Gives up after `graceMs`; then these deliveries are sent again. */
  stop(graceMs: number): Promise<void>;
}

const AT_ONCE = 500;
/** So many results are worth a statement at once; fewer wait a moment for others, as it costs about the same for all. */
const WORTH_A_STATEMENT = 50;
const GATHER_MS = 4;
const IDLE_MS = 60_000;

/**
 * Starts to record. `onRecorded` is called with every recorded batch, whose slots are free then; `onDead` when the
 * dispatcher was taken for dead and nothing is recorded any more.
 */
export function startRecorder(
  context: Context,
  {
    dispatcherId,
    onRecorded,
    onDead,
  }: { dispatcherId: number; onRecorded: (all: readonly Ended[]) => void; onDead: () => void },
): Recorder {
  const ended: Ended[] = [];
  const recordSome = async () => {
    const some = ended.slice(0, AT_ONCE);
    if (some.length === 0) return;
    if (!(await recordEnded(context, dispatcherId, some))) onDead();
    ended.splice(0, some.length);
    onRecorded(some);
  };
  let isGathering = false;
  const recording = repeat(context, "record", async () => {
    isGathering = false;
    await recordSome();
    if (ended.length >= WORTH_A_STATEMENT) return 0;
    if (ended.length > 0) gather();
    return IDLE_MS;
  });
  const gather = () => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => recording.wake(), GATHER_MS);
  };
  return {
    add: (one) => {
      ended.push(one);
      if (ended.length === WORTH_A_STATEMENT) recording.wake();
      else gather();
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
