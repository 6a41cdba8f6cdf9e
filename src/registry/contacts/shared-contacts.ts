import type pg from "pg";
import * as sql from "./statements.ts";

/** If more active USDOT numbers than this file a phone or e-mail, it belongs to an agent or a dispatch service. */
export const MOST_SHARING_USDOTS = 5;

/**
 * Finds the shared contacts of the whole registry: contacts filed in the census, and phones that only Motus or the
 * legacy registry has. Returns their number.
 */
export async function findSharedContacts(client: pg.ClientBase): Promise<number> {
  await sql.deleteShared.run(client);
  const { rowCount } = await sql.insertShared.run(client, { mostUsdots: MOST_SHARING_USDOTS });
  return rowCount;
}
