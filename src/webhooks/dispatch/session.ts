import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { begin, commit, renew } from "../../platform/database/transaction.ts";
import * as sql from "./statements.ts";

/** The lock of a section is surely held for this long after it was asked for: the server ends idle sections after 3 s. */
const SURE_MS = 1_000;

/**
 * A dispatcher's own connection. It holds the lock that shows others that the dispatcher lives, and gives sections: short
 * transactions in which no change that decides about deliveries can be committed.
 */
export class Session {
  readonly #context: Context;
  readonly #dispatcherId: number;
  readonly #onLost: () => void;
  #client: pg.PoolClient | null = null;
  #isInSection = false;
  #askedAtMs = 0;

  /** `onLost` is called when the connection breaks. */
  constructor(context: Context, dispatcherId: number, onLost: () => void) {
    this.#context = context;
    this.#dispatcherId = dispatcherId;
    this.#onLost = onLost;
  }

  /** The connection of the section. */
  get client(): pg.PoolClient {
    if (this.#client === null) throw new Error("The dispatcher has no connection.");
    return this.#client;
  }

  /** Connects, unless it is connected. */
  async open(): Promise<void> {
    if (this.#client !== null) return;
    const client = await this.#context.db.sessionPool.connect();
    try {
      const { rows } = await sql.holdLife.run(client, { dispatcherId: this.#dispatcherId });
      if (!rows[0]?.isHeld) throw new Error("Another session holds the lock of this dispatcher.");
    } catch (error) {
      client.release(true);
      throw error;
    }
    const lose = () => this.#lose(client) && this.#onLost();
    client.once("error", lose).once("end", lose);
    this.#client = client;
  }

  /** Ends the section, if there is one, and begins the next: it blocks while a change is being committed. */
  async next(): Promise<{ version: number; isAlive: boolean }> {
    const { client } = this;
    try {
      await (this.#isInSection ? renew(client) : begin(client));
      this.#isInSection = true;
      this.#askedAtMs = performance.now();
      const { rows } = await sql.beginSection.prepared(client, { dispatcherId: this.#dispatcherId });
      return rows[0] ?? { version: 0, isAlive: false };
    } catch (error) {
      this.#lose(client);
      throw error;
    }
  }

  /** Whether the section's lock is surely held. Not after this process was suspended. */
  isSure(): boolean {
    return this.#isInSection && performance.now() - this.#askedAtMs < SURE_MS;
  }

  /** Ends the section, if there is one. */
  async end(): Promise<void> {
    if (!this.#isInSection || this.#client === null) return;
    const client = this.#client;
    this.#isInSection = false;
    try {
      await commit(client);
    } catch (error) {
      this.#lose(client);
      throw error;
    }
  }

  /** Closes the connection, and with it gives up the lock. */
  close(): void {
    if (this.#client !== null) this.#lose(this.#client);
  }

  #lose(client: pg.PoolClient): boolean {
    if (this.#client !== client) return false;
    this.#client = null;
    this.#isInSection = false;
    client.release(true);
    return true;
  }
}
