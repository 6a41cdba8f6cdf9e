import type { Queryable } from "../../platform/database/statement.ts";
import { removalListState } from "../records/removals.ts";
import * as sql from "./statements.ts";

/**
 * Makes the temporary tables `removed_business` and `removed_contact`, copies of the removal list. So all feeds leave out
 * the same, also when the list changes while they are built. Returns a hash of the copies, and the state that the list
 * had before: they lack nothing of it.
 */
export async function openRemovalList(client: Queryable): Promise<{ hash: string; state: string }> {
  const state = await removalListState(client);
  await sql.copyRemovalList.run(client);
  const { rows } = await sql.hashRemovalList.run(client);
  return { hash: rows[0]?.hash ?? "", state };
}
