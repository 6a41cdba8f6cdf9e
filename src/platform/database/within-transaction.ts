import type pg from "pg";
import type { Database } from "./db.ts";

/**
 * The database as code sees it that must run inside of a transaction which is already open: its statements and transactions
 * become part of that one. Other ways to the database, which would commit on their own, throw.
 */
export function withinTransaction(db: Database, client: pg.PoolClient): Database {
  const refused = (): never => {
    throw new Error("This code runs inside of a transaction, so it must use `pool` or `transaction`");
  };
  return {
    standby: db.standby,
    // Of a pool, callers use `query` alone.
    pool: client as unknown as pg.Pool,
    transaction: (run) => run(client),
    bulkTransaction: refused,
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
