// Transactions and their steps. Code that only needs a transaction calls `transaction` of the database.
import type pg from "pg";
import * as sql from "../../generated/sql/platform/database.ts";
import type { Database } from "../context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";
import type { Queryable } from "./statement.ts";

type Client = Pick<pg.ClientBase, "query">;

export const begin = (client: Client): Promise<unknown> => client.query("BEGIN");
export const commit = (client: Client): Promise<unknown> => client.query("COMMIT");
export const rollBack = (client: Client): Promise<unknown> => client.query("ROLLBACK");

/** Calls `run` in a transaction on a connection of the pool: `end`s it when `run` returns, rolls back when it throws. */
export async function transactionOn<T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
  end: (client: Client) => Promise<unknown> = commit,
): Promise<T> {
  const client = await pool.connect();
  try {
    await begin(client);
    const result = await run(client);
    await end(client);
    client.release();
    return result;
  } catch (error) {
    client.release(await failureToRollBack(client, error));
    throw error;
  }
}

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

/**
 * Calls `run` in a transaction that reads one snapshot: a publication meanwhile is seen whole or not at all. It is rolled
 * back in the end, so that nothing stays of the temporary tables that `run` made.
 */
export const inOneSnapshot = <T>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  transactionOn(
    pool,
    async (client) => {
      await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      return run(client);
    },
    rollBack,
  );

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
