// The dispatcher sends queued webhook deliveries. Any number of processes may run one on the same database.
// It leases accounts and owns only their deliveries in flight; all other state is in the database.
// It promises to deliver every event at least once, and to start no delivery after a change that forbids it was committed.
import type { Context } from "../platform/context.ts";
import { fanOut } from "./deliveries/fan-out.ts";
import { type Life, startLife } from "./dispatch/life.ts";
import { secretOpener } from "./dispatch/open-secrets.ts";
import type { Limits } from "./dispatch/queued.ts";
import { repeat } from "./dispatch/repeat.ts";
import { cancelForPaused, eraseDeleted, erasePreviousSecrets, pauseWithoutPlan } from "./dispatch/upkeep.ts";
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
  /** Starts nothing more, waits for the deliveries in flight and records them. A second call waits for the same. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
/** Pauses and deletions are rare, and each start of a delivery checks them in any case. */
const POLLS_PER_UPKEEP = 20;
/** Longer than an attempt may take. */
const GRACE_MS = 18_000;
const IDLE_MS = 60_000;

/** Test deliveries have their own slots, so that they are sent at once, whatever else is queued or hangs. */
const TEST_LIMITS: Limits = {
  isTest: true,
  slots: 20,
  perEndpoint: 2,
  perAccount: 5,
  toUnknown: 2,
  toSlow: 5,
};

/** Two receivers that don't answer hold half of their account's slots, and others of the account have the rest. */
const LIMITS = { isTest: false, perEndpoint: 5, perAccount: 10, toUnknown: 1, toSlow: 5 };

/** Starts to queue, send and record deliveries. */
export function startDispatcher(context: Context, options: DispatcherOptions = {}): Dispatcher {
  const { pollMs = POLL_MS, graceMs = GRACE_MS } = options;
  const { webhookAllowedCidrs: allowedCidrs, webhookConcurrency: slots } = context.config;
  const sender = options.sender ?? createSender({ allowedCidrs, slots });
  const limits = [TEST_LIMITS, { ...LIMITS, slots }];
  const parts = { limits, sender, openSecret: secretOpener(context), pollMs };

  let life: Life | null = null;
  let isDead = true;
  const living = repeat(context, "live", async () => {
    if (!isDead) return IDLE_MS;
    if (life !== null) {
      context.log.warn("Another dispatcher has taken this one for dead. It starts again.");
      await life.stop(graceMs);
      life = null;
    }
    life = await startLife(context, parts);
    isDead = false;
    life.dead.then(() => {
      isDead = true;
      living.wake();
    });
    return IDLE_MS;
  });
  const fanning = repeat(context, "queue deliveries", async () => {
    if ((await fanOut(context, context.clock.now())) > 0) life?.wake();
    return pollMs;
  });
  const keeping = repeat(context, "maintain deliveries", async () => {
    const now = context.clock.now();
    await pauseWithoutPlan(context, now);
    await cancelForPaused(context, now);
    await eraseDeleted(context, now);
    await erasePreviousSecrets(context, now);
    return pollMs * POLLS_PER_UPKEEP;
  });

  const stop = async () => {
    await Promise.all([fanning.stop(), keeping.stop(), living.stop()]);
    await life?.stop(graceMs);
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
