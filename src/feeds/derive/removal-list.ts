import type { Queryable } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/**
 * Makes the temporary tables `removed_business` and `removed_contact`, copies of the removal list. So all feeds leave out
 * the same, also when the list changes while they are built. Returns a hash of the copies.
 */
export async function openRemovalList(client: Queryable): Promise<string> {
  await sql.copyRemovalList.run(client);
  const { rows } = await sql.hashRemovalList.run(client);
  return rows[0]?.hash ?? "";
}
