// The dispatcher: sends what is queued for webhook endpoints, beside any number of processes that do the same.
// Owns nothing but what it has in flight; everything else is in the database.
// Promises at least one delivery of every event, and that none starts after what would forbid it was committed.
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
  /** How often it looks for something to do when there is nothing; half a second unless given. */
  pollMs?: number;
  /** What deliveries leave by; closed when the dispatcher stops. */
  sender?: Sender;
  /** How long deliveries in flight may take when it is to stop. */
  graceMs?: number;
}

export interface Dispatcher {
  /** Claims nothing more, lets what is in flight end and records it; called again, it waits for the same. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
/** Pauses and deletions are rare, and what must not be sent is not sent in any case. */
const POLLS_PER_PAUSE_CHECK = 20;
/** Longer than an attempt may take. */
const GRACE_MS = 18_000;
const RECORD_GRACE_MS = 3_000;

/** Tests have slots of their own, so that they leave at once, whatever else is queued or hangs. */
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
    for (const lane of lanes) lane.hearOfRoom(attempts);
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
  const keeping = repeat(context, "look after deliveries", async () => {
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
