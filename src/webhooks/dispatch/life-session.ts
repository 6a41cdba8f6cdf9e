import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { OwnConnection } from "./own-connection.ts";
import * as sql from "./statements.ts";

/** Others try the lock for a moment now and then, so it may be held by another session once. */
const MOST_REFUSALS = 3;

/**
 * The connection by which a dispatcher shows others that it lives: while it is open, it holds an advisory lock. When the
 * process dies, the server frees the lock at once. It is idle between beats, so that a process which is suspended keeps it.
 */
export class LifeSession {
  readonly #dispatcherId: number;
  readonly #connection: OwnConnection;
  /** How often in a row another session held the lock. */
  #refusals = 0;

  constructor({ db }: Context, dispatcherId: number) {
    this.#dispatcherId = dispatcherId;
    this.#connection = new OwnConnection(
      db.sessionPool,
      (client) => this.#hold(client),
      () => {},
    );
  }

  async #hold(client: pg.PoolClient): Promise<void> {
    const { rows } = await sql.holdLife.run(client, { dispatcherId: this.#dispatcherId });
    this.#refusals = rows[0]?.isHeld ? 0 : this.#refusals + 1;
    if (this.#refusals > 0) throw new Error("Another session holds the lock of this dispatcher.");
  }

  /**
   * Says that the dispatcher lives; when it returns true, the lock was held after the call. False when others have taken the
   * dispatcher for dead, or when the server keeps the lock for a connection that is lost.
   */
  async beat(inFlight: number): Promise<boolean> {
    try {
      await this.#connection.open();
    } catch (error) {
      if (this.#refusals >= MOST_REFUSALS) return false;
      throw error;
    }
    return this.#connection.use(async (client) => {
      const { rowCount } = await sql.beat.run(client, { dispatcherId: this.#dispatcherId, inFlight });
      return rowCount === 1;
    });
  }

  close(): void {
    this.#connection.close();
  }
}
