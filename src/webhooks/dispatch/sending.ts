import type { Context } from "../../platform/context.ts";
import type { Sender } from "../egress/sender.ts";
import { type Attempt, startAttempt } from "./attempt.ts";
import type { OpenSecret } from "./open-secrets.ts";
import type { Lane } from "./queue.ts";
import type { Queued } from "./queued.ts";
import type { Ended } from "./record.ts";
import { Pause, type Repetition, repeat } from "./repeat.ts";
import type { Session } from "./session.ts";
import { SendState } from "./state.ts";

export interface SendingParts {
  session: Session;
  /** The lane of test deliveries comes first. */
  lanes: readonly Lane[];
  sender: Sender;
  openSecret: OpenSecret;
  /** Called with every delivery whose attempt has ended, or that was cancelled. */
  onEnded: (ended: Ended) => void;
  /** Whether deliveries may be started: false when this process may have been taken for dead. */
  mayStart: () => boolean;
  /** Another process has taken this dispatcher for dead. */
  onDead: () => void;
}

export interface Sending {
  /** Deliveries wait, or there is room for more. */
  wake(): void;
  /** Ends all attempts in flight without results: their deliveries wait again. */
  breakOff(): void;
  /** Starts no more, and waits at most `graceMs` for the deliveries in flight. */
  stop(graceMs: number): Promise<void>;
}

/** A change waits no longer than this for a section to end. */
const SECTION_MS = 20;
const IDLE_MS = 60_000;
const LONGEST_BACK_OFF_MS = 1_000;
/** When a delivery is tried again whose secret could not be decrypted. */
const DEFER_MS = 20_000;

/** Starts deliveries as long as some wait and there is room. */
export function runSending(context: Context, parts: SendingParts): Sending {
  const { log, metrics } = context;
  const { session, lanes } = parts;
  const state = new SendState(context.config.publicUrl);
  const inFlight = new Set<Promise<void>>();
  /** Grows when attempts are broken off: those of before have no result. */
  let round = 0;
  let isStopping = false;
  const pause = new Pause();

  const mayStart = () => !isStopping && parts.mayStart();
  const hasNext = () => lanes.some((lane) => lane.hasNext());
  const waitingEvents = function* () {
    for (const lane of lanes) yield* lane.waitingEvents();
  };

  const start = (queued: Queued) => {
    const { lane } = queued.endpoint;
    const decision = state.decide(queued);
    if (decision.kind === "cancelled_before") {
      lane.finish(queued);
      return lane.skipTo(queued.endpoint, decision.allTo);
    }
    if (decision.kind === "cancel") {
      const { reason: cancelReason } = decision;
      lane.cancel(queued);
      return parts.onEnded({ queued, attempt: null, cancelReason, endedAt: context.clock.now() });
    }
    const { endpoint, body } = decision;
    let sent: Promise<Attempt>;
    try {
      sent = startAttempt(context, parts, { queued, endpoint, body });
    } catch (error) {
      // It is sent once the key is back, and uses no retry.
      log.error({ err: error, endpoint: endpoint.id }, "A delivery could not be signed.");
      return lane.defer(queued, DEFER_MS);
    }
    metrics.deliveriesInFlight.inc();
    const startedIn = round;
    const ending = sent.then((ended) => {
      metrics.deliveriesInFlight.dec();
      inFlight.delete(ending);
      if (startedIn !== round) return lane.putBack(queued);
      metrics.attemptSeconds.observe(ended.durationMs / 1000);
      queued.endpoint.hasStreak ||= endpoint.hasStreak;
      parts.onEnded({ queued, attempt: ended, cancelReason: null, endedAt: context.clock.now() });
    });
    inFlight.add(ending);
  };

  /** Starts what may start now. Returns how many deliveries it took. */
  const startSome = async (): Promise<number> => {
    const taken: Queued[] = [];
    for (const lane of lanes) for (let one = lane.next(); one !== null; one = lane.next()) taken.push(one);
    let started = 0;
    try {
      const reading = state.load(session.client, taken, waitingEvents);
      if (reading !== null) await reading;
      for (const queued of taken) {
        if (!session.isSure())
          throw new Error("A section took too long; its deliveries are started in another.");
        start(queued);
        started += 1;
      }
    } finally {
      for (const queued of taken.slice(started).reverse()) queued.endpoint.lane.putBack(queued);
    }
    return taken.length;
  };

  /** Starts deliveries for the length of a section. Returns whether it started any. */
  const sendInSection = async (): Promise<boolean> => {
    const endsAtMs = performance.now() + SECTION_MS;
    let hasStarted = false;
    for (;;) {
      pause.forget();
      const took = mayStart() && hasNext() ? await startSome() : 0;
      hasStarted ||= took > 0;
      const leftMs = endsAtMs - performance.now();
      if (leftMs <= 0 || isStopping) return hasStarted;
      if (took === 0) await pause.wait(leftMs);
    }
  };

  const step = async (): Promise<number> => {
    await session.open();
    try {
      // Results of the section before make room for more soon, so another follows it at once.
      for (let isBusy = hasNext(); isBusy && mayStart(); ) {
        const { version, isAlive } = await session.next();
        if (!isAlive) {
          parts.onDead();
          return IDLE_MS;
        }
        state.useVersion(version);
        isBusy = await sendInSection();
      }
    } finally {
      await session.end();
    }
    return mayStart() && hasNext() ? 0 : IDLE_MS;
  };
  const sending: Repetition = repeat(context, "send deliveries", step, { longestMs: LONGEST_BACK_OFF_MS });

  return {
    wake: () => {
      pause.end();
      sending.wake();
    },
    breakOff: () => {
      if (inFlight.size === 0) return;
      round += 1;
      log.warn(
        { attempts: inFlight.size },
        "Another dispatcher may take over the accounts of this one. Its attempts in flight are broken off and sent again.",
      );
      parts.sender.breakOff();
    },
    stop: async (graceMs) => {
      isStopping = true;
      pause.end();
      await sending.stop();
      const timer = Promise.withResolvers<void>();
      const deadline = setTimeout(timer.resolve, graceMs);
      await Promise.race([Promise.all(inFlight), timer.promise]);
      clearTimeout(deadline);
    },
  };
}
