import type pg from "pg";
import * as sql from "../../generated/sql/registry/contacts.ts";
import { analyze } from "../../platform/database/statement.ts";

/**
 * Counts who files each contact in the whole registry, and finds the shared ones, on more than `limit` active USDOT numbers:
 * contacts of the census, and phones that only Motus or the legacy registry has. Returns the number of shared contacts.
 */
export async function findSharedContacts(client: pg.ClientBase, limit: number): Promise<number> {
  await sql.deleteShared(client);
  await sql.countFiled(client);
  await analyze(client, "filed_contact");
  return sql.insertShared(client, { limit });
}
