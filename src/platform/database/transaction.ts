// The steps of a transaction, for code that holds a connection longer than one transaction. Other code calls
// `transaction` of the database.
import type pg from "pg";

type Client = Pick<pg.ClientBase, "query">;

export const begin = (client: Client): Promise<unknown> => client.query("BEGIN");
export const commit = (client: Client): Promise<unknown> => client.query("COMMIT");
export const rollBack = (client: Client): Promise<unknown> => client.query("ROLLBACK");
