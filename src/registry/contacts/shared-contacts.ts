import type pg from "pg";
import { analyze } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/** If more active USDOT numbers than this file a phone or e-mail, it belongs to an agent or a dispatch service. */
export const MOST_SHARING_USDOTS = 5;

/**
 * Counts who files each contact in the whole registry, and finds the shared ones: contacts of the census, and phones that
 * only Motus or the legacy registry has. Returns the number of shared contacts.
 */
export async function findSharedContacts(client: pg.ClientBase): Promise<number> {
  await sql.deleteShared.run(client);
  await sql.countFiled.run(client);
  await analyze(client, "filed_contact");
  const { rowCount } = await sql.insertShared.run(client, { mostUsdots: MOST_SHARING_USDOTS });
  return rowCount;
}
