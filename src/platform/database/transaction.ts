// The steps of a transaction, for code that holds a connection longer than one transaction. Other code calls
// `transaction` of the database.
import type pg from "pg";
import * as sql from "../../generated/sql/platform/database.ts";
import type { Database } from "../context.ts";
import type { Queryable } from "./statement.ts";

type Client = Pick<pg.ClientBase, "query">;

export const begin = (client: Client): Promise<unknown> => client.query("BEGIN");
export const commit = (client: Client): Promise<unknown> => client.query("COMMIT");
/** Makes a transaction read one snapshot: a publication meanwhile is seen whole or not at all. Call it first. */
export const readOneSnapshot = (client: Client, { isReadOnly = false } = {}): Promise<unknown> =>
  client.query(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ${isReadOnly ? ", READ ONLY" : ""}`);

/** Waits for the advisory lock with this key, and holds it until the transaction ends. */
export const lock = async (client: Queryable, key: number): Promise<void> => {
  await sql.lock(client, { key });
};

/** Takes the advisory lock with this key until the transaction ends. False: another transaction holds it. */
export const tryLock = async (client: Queryable, key: number): Promise<boolean> =>
  (await sql.tryLock(client, { key })).isTaken;

export const rollBack = (client: Client): Promise<unknown> => client.query("ROLLBACK");
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
