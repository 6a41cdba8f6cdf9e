import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { OwnConnection } from "./own-connection.ts";
import * as sql from "./statements.ts";

/** Others try the lock for a moment now and then, so it may be held by another session once. */
const MOST_REFUSALS = 3;
/** The lock alone shows nobody dead sooner than 5.4 s after the last beat (UNHELD_LOOKS). Well before, nothing may be in flight. */
const SURE_MS = 3_000;
/** A process that was too busy to beat beats once more before it breaks off its attempts. */
const LAST_BEAT_MS = 1_000;

interface LifeSessionParts {
  dispatcherId: number;
  /** How many deliveries are in flight, for operators. */
  inFlight: () => number;
  /** Called when no beat succeeded for some seconds: others may take the accounts soon. */
  onUnsure: () => void;
}

/**
 * The connection by which a dispatcher shows others that it lives: while it is open, it holds an advisory lock. When the
 * process dies, the server frees the lock at once. It is idle between beats, so that a process which is suspended keeps it.
 */
export class LifeSession {
  readonly #parts: LifeSessionParts;
  readonly #connection: OwnConnection;
  /** How often in a row another session held the lock. */
  #refusals = 0;
  #sureUntilMs = Number.NEGATIVE_INFINITY;
  #alarm: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ db }: Context, parts: LifeSessionParts) {
    this.#parts = parts;
    this.#connection = new OwnConnection(
      db.sessionPool,
      (client) => this.#hold(client),
      () => {},
    );
  }

  async #hold(client: pg.PoolClient): Promise<void> {
    const { rows } = await sql.holdLife.run(client, { dispatcherId: this.#parts.dispatcherId });
    this.#refusals = rows[0]?.isHeld ? 0 : this.#refusals + 1;
    if (this.#refusals > 0) throw new Error("Another session holds the lock of this dispatcher.");
  }

  /** Whether nobody takes the dispatcher for dead now. */
  isSure(): boolean {
    return performance.now() < this.#sureUntilMs;
  }

  /**
   * Says that the dispatcher lives. Returns false when others have taken it for dead, or when the server keeps the lock for a
   * connection that is lost.
   */
  async beat(): Promise<boolean> {
    const askedAtMs = performance.now();
    try {
      await this.#connection.open();
    } catch (error) {
      if (this.#refusals >= MOST_REFUSALS) return false;
      throw error;
    }
    const { dispatcherId, inFlight } = this.#parts;
    const { rowCount } = await this.#connection.use((client) =>
      sql.beat.run(client, { dispatcherId, inFlight: inFlight() }),
    );
    if (rowCount === 0) return false;
    this.#sureUntilMs = askedAtMs + SURE_MS;
    this.#setAlarm(this.#sureUntilMs - performance.now(), () => this.#doubt());
    return true;
  }

  #doubt(): void {
    this.#setAlarm(LAST_BEAT_MS, this.#parts.onUnsure);
    this.beat().catch(() => {});
  }

  #setAlarm(ms: number, run: () => void): void {
    clearTimeout(this.#alarm);
    if (!this.#isClosed) this.#alarm = setTimeout(run, ms);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#alarm);
    this.#connection.close();
  }
}
