// The steps of a transaction, for code that holds a connection longer than one transaction. Other code calls
// `transaction` of the database.
import type pg from "pg";

type Client = Pick<pg.ClientBase, "query">;

export const begin = (client: Client): Promise<unknown> => client.query("BEGIN");
export const commit = (client: Client): Promise<unknown> => client.query("COMMIT");
/** Makes a transaction read one snapshot: a publication meanwhile is seen whole or not at all. Call it first. */
export const readOneSnapshot = (client: Client, { isReadOnly = false } = {}): Promise<unknown> =>
  client.query(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ${isReadOnly ? ", READ ONLY" : ""}`);

export const rollBack = (client: Client): Promise<unknown> => client.query("ROLLBACK");
/** Ends the transaction, if there is one, and begins the next. */
export const renew = (client: Client): Promise<unknown> => client.query("COMMIT; BEGIN");
