import type { Context } from "../../platform/context.ts";
import type { Sender } from "../egress/sender.ts";
import { type Attempt, startAttempt } from "./attempt.ts";
import { type Claimed, claim, type Lane } from "./claim.ts";
import type { OpenSecret } from "./open-secrets.ts";
import { repeat } from "./repeat.ts";

export interface RunningLane {
  /** Looks for due deliveries now: there are new ones. */
  wake(): void;
  /** Says what was recorded: its slots are free, and endpoints that had no room may have some. */
  hearOfRoom(recorded: readonly Attempt[]): void;
  /** Claims nothing more and waits for what is in flight, at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface LaneParts {
  sender: Sender;
  openSecret: OpenSecret;
  pollMs: number;
  /** Gets every attempt once it is over and its claim is committed. */
  onEnded: (attempt: Attempt) => void;
}

/** A claim costs about the same for one delivery as for many: slots gather until this part of them is free… */
const WORTH_A_CLAIM = 0.3;
/** …but no longer than this, as the others may hang. */
const GATHER_MS = 10;

/**
 * Keeps up to `lane.slots` deliveries in flight: each ends by itself, and none waits for the others of its claim. A slot is
 * held until the attempt is recorded, so that no more than that is ever repeated when the process is killed.
 */
export function runLane(context: Context, lane: Lane, parts: LaneParts): RunningLane {
  const { log, metrics } = context;
  const flying = new Set<Promise<void>>();
  const worthAClaim = Math.ceil(lane.slots * WORTH_A_CLAIM);
  let heldSlots = 0;
  let isHungry = false;
  let isStopping = false;

  const fly = (claimed: Claimed, committed: Promise<unknown>) => {
    let attempt: Promise<Attempt>;
    try {
      attempt = startAttempt(context, parts, claimed);
    } catch (error) {
      // Its lease ends by itself: it goes out once the key is back, and has used up no retry.
      log.error({ err: error, endpoint: claimed.endpointId }, "A delivery could not be signed.");
      return;
    }
    heldSlots += 1;
    metrics.deliveriesInFlight.inc();
    const flight = attempt.then(async (ended) => {
      metrics.attemptSeconds.observe(ended.durationMs / 1000);
      metrics.deliveriesInFlight.dec();
      flying.delete(flight);
      // What is not committed yet can't be recorded.
      await committed.catch(() => {});
      parts.onEnded(ended);
    });
    flying.add(flight);
  };

  const claimSome = async (): Promise<number> => {
    const most = lane.slots - heldSlots;
    if (most === 0) return GATHER_MS;
    const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
    try {
      const { sent, cancelled } = await claim(context, lane, {
        now: context.clock.now(),
        most,
        start: (claimed) => fly(claimed, committed),
        isWanted: () => !isStopping,
      });
      for (const reason of cancelled) metrics.deliveries.inc({ outcome: `cancelled_${reason}` });
      // Then more slots are no use: it takes room of endpoints, or something new.
      isHungry = sent + cancelled.length < most;
      // Where some were cancelled, more of the kind may stand behind them, in the way of what is to be sent.
      if (cancelled.length > 0) return 0;
      return sent > 0 ? GATHER_MS : parts.pollMs;
    } finally {
      commit();
    }
  };
  const claiming = repeat(context, lane.isTest ? "claim test deliveries" : "claim deliveries", claimSome);

  return {
    wake: () => claiming.wake(),
    hearOfRoom: (recorded) => {
      const own = recorded.filter(({ claimed }) => claimed.isTest === lane.isTest).length;
      heldSlots -= own;
      if (own > 0 && (isHungry || lane.slots - heldSlots >= worthAClaim)) claiming.wake();
    },
    stop: async (graceMs) => {
      isStopping = true;
      await claiming.stop();
      const timer = Promise.withResolvers<void>();
      const deadline = setTimeout(timer.resolve, graceMs);
      await Promise.race([Promise.all(flying), timer.promise]);
      clearTimeout(deadline);
    },
  };
}
