import * as sql from "../../generated/sql/suppression/transfer.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";

/** The address and remarks of a request's sender. */
export type Requester = sql.ListRequestersRow;

/** What senders of requests said about themselves. No export has it: a restore takes it from the replaced database. */
export const listRequesters = ({ db }: Context): Promise<Requester[]> => sql.listRequesters(db.bulkPool);

/** Writes those of requests that this database has by now. What is there already stays. */
export async function restoreRequesters(client: Queryable, requesters: readonly Requester[]): Promise<void> {
  await sql.restoreRequesters(client, { requesters: JSON.stringify(requesters) });
}
