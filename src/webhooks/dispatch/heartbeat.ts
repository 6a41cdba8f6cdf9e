import * as sql from "../../generated/sql/webhooks/dispatch.ts";
import type { Context } from "../../platform/context.ts";
import type { Attempts } from "./attempts.ts";
import type { Bell } from "./loop.ts";
import { OwnConnection } from "./own-connection.ts";
import type { Queues } from "./queues.ts";

const BEAT_MS = 1_000;
/** Peers try the lock for a moment now and then, so one refusal means nothing. */
const MOST_REFUSALS = 3;
/**
 * A dispatcher is active for this long after a heartbeat. Peers that find its lock free presume it dead after 5.4 s at the
 * earliest (FREE_LOCK_LOOKS); nothing may be in flight well before that.
 */
const ACTIVE_MS = 3_000;
/** A process that was too busy for its heartbeat gets this long for one more before it aborts its attempts. */
const LAST_CHANCE_MS = 1_000;

interface HeartbeatParts {
  dispatcherId: number;
  queues: Queues;
  attempts: Attempts;
  lost: AbortController;
  /** Rings after each heartbeat: an active dispatcher may start deliveries. */
  sendBell: Bell;
}

/**
 * Shows the other dispatchers that this one is active: it saves the time each second, and its connection holds an advisory
 * lock. When the process dies, the server frees the lock at once. The connection is idle between heartbeats, so a process
 * that is only suspended keeps the lock.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  readonly #connection: OwnConnection;
  /** How often in a row another session held the lock. */
  #refusals = 0;
  #activeUntilMs = Number.NEGATIVE_INFINITY;
  #alarm: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor({ db }: Context, parts: HeartbeatParts) {
    this.#parts = parts;
    this.#connection = new OwnConnection(db.sessionPool, {
      prepare: async (client) => {
        const { isHeld } = await sql.holdLock(client, { dispatcherId: parts.dispatcherId });
        this.#refusals = isHeld ? 0 : this.#refusals + 1;
        if (this.#refusals > 0) throw new Error("Another session holds the lock of this dispatcher.");
      },
    });
  }

  /** Whether the dispatcher may start deliveries: no peer can presume it dead now. */
  isActive(): boolean {
    return performance.now() < this.#activeUntilMs;
  }

  /** One heartbeat. If the registration is lost, it aborts `lost`. Returns how long to wait for the next. */
  async step(): Promise<number> {
    if (!(await this.#beat())) this.#parts.lost.abort();
    this.#parts.sendBell.ring();
    return BEAT_MS;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#alarm);
    this.#connection.close();
  }

  /** Returns false when the registration is lost: a peer ended it, or the server keeps the lock for a broken connection. */
  async #beat(): Promise<boolean> {
    const askedAtMs = performance.now();
    try {
      await this.#connection.open();
    } catch (error) {
      if (this.#refusals >= MOST_REFUSALS) return false;
      throw error;
    }
    const { dispatcherId, queues } = this.#parts;
    const inFlight = queues.inFlight();
    const updated = await this.#connection.use((client) => sql.beat(client, { dispatcherId, inFlight }));
    if (updated === 0) return false;
    this.#activeUntilMs = askedAtMs + ACTIVE_MS;
    this.#setAlarm(this.#activeUntilMs - performance.now(), () => this.#tryOnceMore());
    return true;
  }

  /** The dispatcher is not active any more. Peers may take its accounts soon, so nothing may stay in flight. */
  #tryOnceMore(): void {
    this.#setAlarm(LAST_CHANCE_MS, () => this.#parts.attempts.abort());
    this.#beat().catch(() => {});
  }

  #setAlarm(ms: number, run: () => void): void {
    clearTimeout(this.#alarm);
    if (!this.#isStopped) this.#alarm = setTimeout(run, ms);
  }
}
