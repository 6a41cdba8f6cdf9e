import type { Queryable } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/** How many active endpoints an account may have. */
export const ACTIVE_ENDPOINTS_LIMIT = 20;

/**
 * Makes whatever counts an account's endpoints or test deliveries wait for each other, until the caller's transaction
 * ends: counting and then adding lets parallel requests all see the same rest.
 */
export async function lockAccount(client: Queryable, accountId: number): Promise<void> {
  await sql.lockAccount.run(client, { accountId });
}

/** Whether an account may have one more active endpoint; for sure only where it is locked. */
export async function hasRoomForEndpoint(db: Queryable, accountId: number): Promise<boolean> {
  const { rows } = await sql.countActive.run(db, { accountId });
  return (rows[0]?.count ?? 0) < ACTIVE_ENDPOINTS_LIMIT;
}
