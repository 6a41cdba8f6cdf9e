import type pg from "pg";

interface OwnConnectionOptions {
  /** Called with each new connection before it is used. */
  prepare: (client: pg.PoolClient) => Promise<void>;
  /** Called when the connection breaks or is closed. */
  onLost?: () => void;
}

/** A connection that is not shared: opened when it is needed, and again after it broke. */
export class OwnConnection {
  readonly #pool: pg.Pool;
  readonly #options: OwnConnectionOptions;
  #client: pg.PoolClient | null = null;

  constructor(pool: pg.Pool, options: OwnConnectionOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /** Throws while it is not open. */
  get client(): pg.PoolClient {
    if (this.#client === null) throw new Error("The dispatcher has no connection.");
    return this.#client;
  }

  /** Connects, unless it is connected. */
  async open(): Promise<void> {
    if (this.#client !== null) return;
    const client = await this.#pool.connect();
    try {
      await this.#options.prepare(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.once("error", () => this.#drop(client)).once("end", () => this.#drop(client));
    this.#client = client;
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
    this.#options.onLost?.();
  }
}
