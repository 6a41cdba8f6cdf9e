import type { Context } from "../../platform/context.ts";
import type { Sender } from "../egress/sender.ts";
import { type Attempt, startAttempt } from "./attempt.ts";
import { type Claimed, claim, type Lane } from "./claim.ts";
import type { OpenSecret } from "./open-secrets.ts";
import { repeat } from "./repeat.ts";

export interface RunningLane {
  /** Looks for due deliveries now. */
  wake(): void;
  /** Frees the slots of recorded attempts; endpoints that were at their limit may have capacity again. */
  onCapacity(recorded: readonly Attempt[]): void;
  /** Claims nothing more and waits at most `graceMs` for the deliveries in flight. */
  stop(graceMs: number): Promise<void>;
}

export interface LaneParts {
  sender: Sender;
  openSecret: OpenSecret;
  pollMs: number;
  /** Called with every finished attempt whose claim is committed. */
  onEnded: (attempt: Attempt) => void;
}

/** A claim costs about the same for one delivery as for many, so a claim waits until this share of the slots is free… */
const WORTH_A_CLAIM = 0.3;
/** …but no longer than this, as the other deliveries may hang. */
const GATHER_MS = 10;

/**
 * Keeps up to `lane.slots` deliveries in flight. No delivery waits for the others of its claim. A slot is held until the
 * attempt is recorded, so that at most `lane.slots` deliveries are repeated after the process is killed.
 */
export function runLane(context: Context, lane: Lane, parts: LaneParts): RunningLane {
  const { log, metrics } = context;
  const inFlight = new Set<Promise<void>>();
  const worthAClaim = Math.ceil(lane.slots * WORTH_A_CLAIM);
  let heldSlots = 0;
  let hasIdleSlots = false;
  let isStopping = false;

  const send = (claimed: Claimed, committed: Promise<unknown>) => {
    let attempt: Promise<Attempt>;
    try {
      attempt = startAttempt(context, parts, claimed);
    } catch (error) {
      // Its lease ends by itself: it is sent once the key is back, and uses no retry.
      log.error({ err: error, endpoint: claimed.endpointId }, "A delivery could not be signed.");
      return;
    }
    heldSlots += 1;
    metrics.deliveriesInFlight.inc();
    const recording = attempt.then(async (ended) => {
      metrics.attemptSeconds.observe(ended.durationMs / 1000);
      metrics.deliveriesInFlight.dec();
      inFlight.delete(recording);
      // An attempt can be recorded only after its claim is committed.
      await committed.catch(() => {});
      parts.onEnded(ended);
    });
    inFlight.add(recording);
  };

  const claimSome = async (): Promise<number> => {
    const most = lane.slots - heldSlots;
    if (most === 0) return GATHER_MS;
    const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
    try {
      const { sent, cancelled } = await claim(context, lane, {
        now: context.clock.now(),
        most,
        start: (claimed) => send(claimed, committed),
        isWanted: () => !isStopping,
      });
      for (const reason of cancelled) metrics.deliveries.inc({ outcome: `cancelled_${reason}` });
      // Idle slots mean that every endpoint with due deliveries is at its limit, or none is due.
      hasIdleSlots = sent + cancelled.length < most;
      // Claim again at once: further cancellable rows may block sendable ones.
      if (cancelled.length > 0) return 0;
      return sent > 0 ? GATHER_MS : parts.pollMs;
    } finally {
      commit();
    }
  };
  const claiming = repeat(context, lane.isTest ? "claim test deliveries" : "claim deliveries", claimSome);

  return {
    wake: () => claiming.wake(),
    onCapacity: (recorded) => {
      const own = recorded.filter(({ claimed }) => claimed.isTest === lane.isTest).length;
      heldSlots -= own;
      if (own > 0 && (hasIdleSlots || lane.slots - heldSlots >= worthAClaim)) claiming.wake();
    },
    stop: async (graceMs) => {
      isStopping = true;
      await claiming.stop();
      const timer = Promise.withResolvers<void>();
      const deadline = setTimeout(timer.resolve, graceMs);
      await Promise.race([Promise.all(inFlight), timer.promise]);
      clearTimeout(deadline);
    },
  };
}
