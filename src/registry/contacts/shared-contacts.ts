import type pg from "pg";
import { analyze } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/**
 * Counts who files each contact in the whole registry, and finds the shared ones, on more than `limit` active USDOT numbers:
 * contacts of the census, and phones that only Motus or the legacy registry has. Returns the number of shared contacts.
 */
export async function findSharedContacts(client: pg.ClientBase, limit: number): Promise<number> {
  await sql.deleteShared.run(client);
  await sql.countFiled.run(client);
  await analyze(client, "filed_contact");
  const { rowCount } = await sql.insertShared.run(client, { limit });
  return rowCount;
}
