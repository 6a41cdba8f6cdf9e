import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { begin, commit, renew } from "../../platform/database/transaction.ts";
import { OwnConnection } from "./own-connection.ts";
import * as sql from "./statements.ts";

/** The lock of a section is surely held for this long after it was asked for: the server ends idle sections after 3 s. */
const SURE_MS = 1_000;

/** A connection that gives sections: short transactions in which no change that decides about deliveries can be committed. */
export class Session {
  readonly #dispatcherId: number;
  readonly #connection: OwnConnection;
  #isInSection = false;
  #askedAtMs = 0;

  /** `onLost` is called when the connection breaks. */
  constructor({ db }: Context, dispatcherId: number, onLost: () => void) {
    this.#dispatcherId = dispatcherId;
    const limitIdle = async (client: pg.PoolClient) => {
      await sql.limitIdle.run(client);
    };
    this.#connection = new OwnConnection(db.sessionPool, limitIdle, () => {
      this.#isInSection = false;
      onLost();
    });
  }

  /** The connection of the section. */
  get client(): pg.PoolClient {
    return this.#connection.client;
  }

  /** Connects, unless it is connected. */
  async open(): Promise<void> {
    await this.#connection.open();
  }

  /** Ends the section, if there is one, and begins the next: it blocks while a change is being committed. */
  async next(): Promise<{ version: number; isAlive: boolean }> {
    return this.#connection.use(async (client) => {
      await (this.#isInSection ? renew(client) : begin(client));
      this.#isInSection = true;
      this.#askedAtMs = performance.now();
      const { rows } = await sql.beginSection.prepared(client, { dispatcherId: this.#dispatcherId });
      return rows[0] ?? { version: 0, isAlive: false };
    });
  }

  /** Whether the section's lock is surely held. Not after this process was suspended. */
  isSure(): boolean {
    return this.#isInSection && performance.now() - this.#askedAtMs < SURE_MS;
  }

  /** Ends the section, if there is one. */
  async end(): Promise<void> {
    if (!this.#isInSection) return;
    this.#isInSection = false;
    await this.#connection.use(commit);
  }

  close(): void {
    this.#connection.close();
  }
}
