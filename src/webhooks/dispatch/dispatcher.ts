// The dispatcher sends queued webhook deliveries. Any number of processes may run one on the same database.
// It leases accounts and owns only their deliveries in flight; all other state is in the database.
// It promises to deliver every event at least once, and to start no delivery after a change that forbids it was committed.
// docs/dispatcher.md has its states and says which file does what.
import type { Context } from "../../platform/context.ts";
import { createSender, type Sender } from "../egress/sender.ts";
import { fanOut } from "../queue/fan-out.ts";
import { secretOpener } from "../secrets/signing.ts";
import { cancelForPaused, eraseDeleted, erasePreviousSecrets, pauseWithoutPlan } from "../upkeep/upkeep.ts";
import { Bell, IDLE_MS, startLoop } from "./loop.ts";
import { type Registered, type RegisteredOptions, register } from "./registered.ts";

export interface DispatcherOptions {
  /** Interval between looks at the queue while it is idle; half a second unless given. */
  pollMs?: number;
  /** Sends the requests; closed when the dispatcher stops. */
  sender?: Sender;
  /** How long deliveries in flight may still take after stop(). */
  graceMs?: number;
}

export interface Dispatcher {
  /** Starts nothing more, waits for the deliveries in flight and records them. A second call waits for the same. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
/** Pauses and deletions are rare, and each start of a delivery checks them in any case. */
const POLLS_PER_UPKEEP = 20;
/** Longer than an attempt may take. */
const GRACE_MS = 18_000;

/** Starts to queue, send and record deliveries. */
export function startDispatcher(context: Context, options: DispatcherOptions = {}): Dispatcher {
  const { pollMs = POLL_MS, graceMs = GRACE_MS } = options;
  const { webhookAllowedCidrs: allowedCidrs, webhookConcurrency: slots } = context.config;
  const sender = options.sender ?? createSender({ allowedCidrs, slots });
  const registration = startRegistration(context, {
    sender,
    openSecret: secretOpener(context),
    pollMs,
    graceMs,
  });
  const queueing = startLoop(context, { task: "queue deliveries" }, async () => {
    if ((await fanOut(context, context.clock.now())) > 0) registration.lookNow();
    return pollMs;
  });
  const upkeep = startLoop(context, { task: "maintain deliveries" }, async () => {
    const now = context.clock.now();
    await pauseWithoutPlan(context, now);
    await cancelForPaused(context, now);
    await eraseDeleted(context, now);
    await erasePreviousSecrets(context, now);
    return pollMs * POLLS_PER_UPKEEP;
  });

  const stop = async () => {
    // Sending ends at once, however long the running steps of the others take.
    await Promise.all([registration.stop(), queueing.stop(), upkeep.stop()]);
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

/** Keeps the dispatcher registered: when it has lost its registration, it registers again, as a new dispatcher. */
function startRegistration(
  context: Context,
  { graceMs, ...options }: Omit<RegisteredOptions, "lost"> & { graceMs: number },
) {
  let registered: Registered | null = null;
  let lost = new AbortController();
  const bell = new Bell();
  const registering = startLoop(context, { task: "register", bell }, async () => {
    if (registered !== null && !lost.signal.aborted) return IDLE_MS;
    if (registered !== null) {
      context.log.warn("Lost registration: another dispatcher presumed this one dead. Registering again.");
      await registered.stop(graceMs);
      registered = null;
    }
    lost = new AbortController();
    lost.signal.addEventListener("abort", () => bell.ring());
    registered = await register(context, { ...options, lost });
    return IDLE_MS;
  });
  return {
    lookNow: () => registered?.lookNow(),
    stop: async () => {
      await registering.stop();
      await registered?.stop(graceMs);
    },
  };
}
