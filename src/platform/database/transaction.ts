// Transactions and their steps. Code that only needs a transaction calls `transaction` of the database.
import type pg from "pg";
import * as sql from "../../generated/sql/platform/database.ts";
import type { Database } from "../context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";
import type { Queryable } from "./statement.ts";

type Client = Pick<pg.ClientBase, "query">;

export const begin = (client: Client): Promise<unknown> => client.query("BEGIN");
/** The transaction reads one snapshot: a publication meanwhile is seen whole or not at all. */
export const beginSnapshot = (client: Client): Promise<unknown> =>
  client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
export const commit = (client: Client): Promise<unknown> => client.query("COMMIT");
export const rollBack = (client: Client): Promise<unknown> => client.query("ROLLBACK");

type Step = (client: Client) => Promise<unknown>;

/** What is called after the commit of each open transaction. */
const commitHooks = new WeakMap<object, (() => void)[]>();

/** Calls `run` in a transaction on a connection of the pool. When `run` throws, it is rolled back. */
export async function transactionOn<T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
  [first, last]: readonly [Step, Step] = [begin, commit],
): Promise<T> {
  const client = await pool.connect();
  const hooks: (() => void)[] = [];
  commitHooks.set(client, hooks);
  try {
    await first(client);
    const result = await run(client);
    await last(client);
    commitHooks.delete(client);
    client.release();
    for (const hook of hooks) hook();
    return result;
  } catch (error) {
    commitHooks.delete(client);
    client.release(await failureToRollBack(client, error));
    throw error;
  }
}

/**
 * Calls `hook` once the transaction of the client is committed, and never if it is rolled back. Without a transaction, as on a
 * pool, it is called at once. `hook` must not throw.
 */
export function afterCommit(client: Queryable, hook: () => void): void {
  const hooks = commitHooks.get(client);
  if (hooks === undefined) hook();
  else hooks.push(hook);
}

/** The same on one snapshot, and nothing is kept: `run` may make temporary tables, only to read them. */
export const inOneSnapshot = <T>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  transactionOn(pool, run, [beginSnapshot, rollBack]);

/** Rolls back. When that fails, returns an error, so that the pool drops the connection. */
async function failureToRollBack(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  // After a statement timeout, a ROLLBACK would wait just as long.
  const known = toDatabaseError(error);
  if (known instanceof DatabaseUnavailableError) return known;
  try {
    await rollBack(client);
    return undefined;
  } catch (rollbackError) {
    return rollbackError as Error;
  }
}

/** Waits for the advisory lock with this key, and holds it until the transaction ends. */
export const lock = async (client: Queryable, key: number): Promise<void> => {
  await sql.lock(client, { key });
};

/** Takes the advisory lock with this key until the transaction ends. False: another transaction holds it. */
export const tryLock = async (client: Queryable, key: number): Promise<boolean> =>
  (await sql.tryLock(client, { key })).isTaken;

/** Ends the transaction, if there is one, and begins the next. */
export const renew = (client: Client): Promise<unknown> => client.query("COMMIT; BEGIN");

/**
 * The database as code sees it that must run inside of a transaction which is already open: its statements and transactions
 * become part of that one. Other ways to the database, which would commit on their own, throw.
 */
export function withinTransaction(db: Database, client: pg.PoolClient): Database {
  const refused = (): never => {
    throw new Error("This code runs inside of a transaction, so it must use `pool` or `transaction`");
  };
  return {
    base: db.base,
    url: db.url,
    standby: db.standby,
    // Of a pool, callers use `query` alone.
    pool: client as unknown as pg.Pool,
    transaction: (run) => run(client),
    bulkTransaction: refused,
    onClose: refused,
    close: refused,
    get bulkPool() {
      return refused();
    },
    get sessionPool() {
      return refused();
    },
    get prisma() {
      return refused();
    },
  };
}
