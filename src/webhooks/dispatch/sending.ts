import type { Context } from "../../platform/context.ts";
import type { Attempts } from "./attempts.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { type Bell, IDLE_MS } from "./loop.ts";
import type { Queued } from "./queued.ts";
import type { Queues } from "./queues.ts";
import type { Recorder } from "./recorder.ts";
import type { SendWindow } from "./send-window.ts";
import { SendState } from "./state.ts";

/** A change waits no longer than this for a send window to close. */
const WINDOW_MS = 20;

interface SendingParts {
  queues: Queues;
  sendWindow: SendWindow;
  heartbeat: Heartbeat;
  attempts: Attempts;
  recorder: Recorder;
  lost: AbortController;
  /** Rings when deliveries wait or slots are free. */
  bell: Bell;
}

/** Starts deliveries in send windows, as long as some wait and have capacity. */
export class Sending {
  readonly #context: Context;
  readonly #parts: SendingParts;
  readonly #state: SendState;
  #isStopped = false;

  constructor(context: Context, parts: SendingParts) {
    this.#context = context;
    this.#parts = parts;
    this.#state = new SendState(context.config.publicUrl);
  }

  /** Starts no more deliveries. */
  stop(): void {
    this.#isStopped = true;
    this.#parts.bell.ring();
  }

  /** Opens windows until nothing can be started. Returns how long to wait for the next step. */
  async step(): Promise<number> {
    const { sendWindow, lost } = this.#parts;
    await sendWindow.connect();
    try {
      // The results of one window free slots soon, so another window follows at once.
      for (let isBusy = this.#canStart(); isBusy && this.#mayStart(); ) {
        const { version, isRegistered } = await sendWindow.openNext();
        if (!isRegistered) {
          lost.abort();
          break;
        }
        this.#state.useVersion(version);
        isBusy = await this.#sendInWindow();
      }
    } finally {
      await sendWindow.close();
    }
    return this.#canStart() ? 0 : IDLE_MS;
  }

  #mayStart(): boolean {
    const { heartbeat, lost } = this.#parts;
    return !this.#isStopped && !lost.signal.aborted && heartbeat.isActive();
  }

  #canStart(): boolean {
    return this.#mayStart() && this.#parts.queues.hasNext();
  }

  /** Starts deliveries for the length of a window. Returns whether it started any. */
  async #sendInWindow(): Promise<boolean> {
    const { bell } = this.#parts;
    const endsAtMs = performance.now() + WINDOW_MS;
    let hasStarted = false;
    for (;;) {
      bell.clear();
      const started = this.#canStart() ? await this.#startSome() : 0;
      hasStarted ||= started > 0;
      const leftMs = endsAtMs - performance.now();
      if (leftMs <= 0 || this.#isStopped) return hasStarted;
      if (started === 0) await bell.wait(leftMs);
    }
  }

  /** Starts the deliveries that may start now. Returns how many. */
  async #startSome(): Promise<number> {
    const { queues, sendWindow } = this.#parts;
    const taken = queues.takeNext();
    let started = 0;
    try {
      const loading = this.#state.load(sendWindow.client, taken, () => queues.events.waitingEvents());
      if (loading !== null) await loading;
      for (const queued of taken) {
        if (!sendWindow.isOpen())
          throw new Error("A send window took too long; its deliveries are started in another.");
        this.#start(queued);
        started += 1;
      }
    } finally {
      for (const queued of taken.slice(started).reverse()) queues.of(queued).putBack(queued);
    }
    return started;
  }

  #start(queued: Queued): void {
    const { queues, attempts, recorder } = this.#parts;
    const decision = this.#state.decide(queued);
    if (decision.kind === "send") {
      attempts.start(queued, decision.endpoint, decision.body);
    } else if (decision.kind === "cancel") {
      queues.of(queued).cancel(queued);
      const endedAt = this.#context.clock.now();
      recorder.add({ queued, attempt: null, cancelReason: decision.reason, endedAt });
    } else if (decision.kind === "wait") {
      queues.of(queued).holdAccount(queued);
    } else {
      queues.events.finish(queued);
      queues.events.skipTo(queued.endpoint, decision.allTo);
    }
  }
}
