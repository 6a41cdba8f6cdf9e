import type pg from "pg";

/** A connection of a dispatcher's own: opened when it is needed, and again after it broke. */
export class OwnConnection {
  readonly #pool: pg.Pool;
  readonly #prepare: (client: pg.PoolClient) => Promise<void>;
  readonly #onLost: () => void;
  #client: pg.PoolClient | null = null;

  /** `prepare` is called with each new connection, `onLost` when it breaks or is closed. */
  constructor(pool: pg.Pool, prepare: (client: pg.PoolClient) => Promise<void>, onLost: () => void) {
    this.#pool = pool;
    this.#prepare = prepare;
    this.#onLost = onLost;
  }

  /** Throws while it is not open. */
  get client(): pg.PoolClient {
    if (this.#client === null) throw new Error("The dispatcher has no connection.");
    return this.#client;
  }

  async open(): Promise<pg.PoolClient> {
    if (this.#client !== null) return this.#client;
    const client = await this.#pool.connect();
    try {
      await this.#prepare(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.once("error", () => this.#drop(client)).once("end", () => this.#drop(client));
    this.#client = client;
    return client;
  }

  /** Runs statements on it. When they fail, it is closed. */
  async use<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { client } = this;
    try {
      return await run(client);
    } catch (error) {
      this.#drop(client);
      throw error;
    }
  }

  close(): void {
    if (this.#client !== null) this.#drop(this.#client);
  }

  #drop(client: pg.PoolClient): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.release(true);
    this.#onLost();
  }
}
