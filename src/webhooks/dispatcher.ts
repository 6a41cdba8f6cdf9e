// The dispatcher sends queued webhook deliveries. Any number of processes may run one on the same database.
// It owns only the deliveries that it has in flight; all other state is in the database.
// It promises to deliver every event at least once, and to start no delivery after a change that forbids it was committed.
import type { Context } from "../platform/context.ts";
import { fanOut } from "./deliveries/fan-out.ts";
import type { Attempt } from "./dispatch/attempt.ts";
import type { Lane } from "./dispatch/claim.ts";
import { eraseDeleted } from "./dispatch/erase-deleted.ts";
import { type RunningLane, runLane } from "./dispatch/lane.ts";
import { secretOpener } from "./dispatch/open-secrets.ts";
import { startRecorder } from "./dispatch/recorder.ts";
import { repeat } from "./dispatch/repeat.ts";
import { cancelForPaused, pauseWithoutPlan, sweepLeases } from "./dispatch/upkeep.ts";
import { createSender, type Sender } from "./egress/sender.ts";

export interface DispatcherOptions {
  /** Interval between looks at the queue while it is idle; half a second unless given. */
  pollMs?: number;
  /** Sends the requests; closed when the dispatcher stops. */
  sender?: Sender;
  /** How long deliveries in flight may still take after stop(). */
  graceMs?: number;
}

export interface Dispatcher {
  /** Claims nothing more, waits for the deliveries in flight and records them. A second call waits for the same. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
/** Pauses and deletions are rare, and claims check them in any case. */
const POLLS_PER_PAUSE_CHECK = 20;
/** Longer than an attempt may take. */
const GRACE_MS = 18_000;
const RECORD_GRACE_MS = 3_000;

/** Test deliveries have their own slots, so that they are sent at once, whatever else is queued or hangs. */
const TEST_LANE: Lane = { isTest: true, slots: 20, perEndpoint: 2, perAccount: 5 };

/** Starts to queue, send and record deliveries. */
export function startDispatcher(context: Context, options: DispatcherOptions = {}): Dispatcher {
  const { pollMs = POLL_MS, graceMs = GRACE_MS } = options;
  const { webhookAllowedCidrs: allowedCidrs, webhookConcurrency: slots } = context.config;
  const sender = options.sender ?? createSender({ allowedCidrs });
  const lanes: RunningLane[] = [];
  const wakeLanes = () => {
    for (const lane of lanes) lane.wake();
  };
  const onRecorded = (attempts: readonly Attempt[]) => {
    for (const lane of lanes) lane.onCapacity(attempts);
  };
  const recorder = startRecorder(context, onRecorded);
  const parts = { sender, openSecret: secretOpener(context), pollMs, onEnded: recorder.add };
  for (const lane of [{ isTest: false, slots, perEndpoint: 5, perAccount: 10 }, TEST_LANE]) {
    lanes.push(runLane(context, lane, parts));
  }

  const fanning = repeat(context, "queue deliveries", async () => {
    if ((await fanOut(context, context.clock.now())) > 0) wakeLanes();
    return pollMs;
  });
  let polls = 0;
  const keeping = repeat(context, "maintain deliveries", async () => {
    const now = context.clock.now();
    if ((await sweepLeases(context, now)) > 0) wakeLanes();
    if (polls++ % POLLS_PER_PAUSE_CHECK === 0) {
      await pauseWithoutPlan(context, now);
      await cancelForPaused(context, now);
      await eraseDeleted(context, now);
    }
    return pollMs;
  });

  const stop = async () => {
    await Promise.all([fanning.stop(), keeping.stop(), ...lanes.map((lane) => lane.stop(graceMs))]);
    await recorder.stop(RECORD_GRACE_MS);
    await sender.close();
  };
  let stopping: Promise<void> | undefined;
  return {
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
