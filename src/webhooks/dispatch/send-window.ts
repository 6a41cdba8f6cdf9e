import * as sql from "../../generated/sql/webhooks/dispatch.ts";
import type { Context } from "../../platform/context.ts";
import { begin, commit, renew } from "../../platform/database/transaction.ts";
import type { Bell } from "./loop.ts";
import { OwnConnection } from "./own-connection.ts";

/** For this long after it was asked for, the lock of a window is certainly held: the server ends idle ones after 3 s. */
const CERTAIN_MS = 1_000;

/**
 * The send window: a short transaction that holds a lock together with other senders. While a window is open, no change
 * that decides about deliveries (endpoint, plan, removal list) can be committed.
 */
export class SendWindow {
  readonly #dispatcherId: number;
  readonly #connection: OwnConnection;
  #isOpen = false;
  #askedAtMs = 0;

  /** `bell` rings when the connection breaks. */
  constructor({ db }: Context, { dispatcherId, bell }: { dispatcherId: number; bell: Bell }) {
    this.#dispatcherId = dispatcherId;
    this.#connection = new OwnConnection(db.sessionPool, {
      prepare: async (client) => {
        await sql.limitIdle(client);
      },
      onLost: () => {
        this.#isOpen = false;
        bell.ring();
      },
    });
  }

  /** The connection of the window. */
  get client() {
    return this.#connection.client;
  }

  /** Connects, unless it is connected. */
  async connect(): Promise<void> {
    await this.#connection.open();
  }

  /** Closes the window, if one is open, and opens the next. It blocks while a change is being committed. */
  async openNext(): Promise<{ version: number; isRegistered: boolean }> {
    return this.#connection.use(async (client) => {
      await (this.#isOpen ? renew(client) : begin(client));
      this.#isOpen = true;
      this.#askedAtMs = performance.now();
      return sql.openSendWindow(client, { dispatcherId: this.#dispatcherId });
    });
  }

  /** Whether the window's lock is certainly held. It is not after this process was suspended. */
  isOpen(): boolean {
    return this.#isOpen && performance.now() - this.#askedAtMs < CERTAIN_MS;
  }

  /** Closes the window, if one is open. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#connection.use(commit);
  }

  disconnect(): void {
    this.#connection.close();
  }
}
