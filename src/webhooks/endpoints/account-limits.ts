import type pg from "pg";

/** How many active endpoints an account may have. */
export const ACTIVE_ENDPOINTS_LIMIT = 20;

/**
 * Locks an account until the caller's transaction ends, to count its endpoints or test deliveries and then add one. Without
 * the lock, parallel requests all see the same count.
 */
export async function lockAccount(client: Pick<pg.ClientBase, "query">, accountId: number): Promise<void> {
  await client.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
}

/** Whether an account may have one more active endpoint. Only certain while the account is locked. */
export async function hasRoomForEndpoint(
  db: Pick<pg.ClientBase, "query"> | pg.Pool,
  accountId: number,
): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>(
    "SELECT count(*) AS count FROM webhook_endpoint WHERE account_id = $1 AND active",
    [accountId],
  );
  return (rows[0]?.count ?? 0) < ACTIVE_ENDPOINTS_LIMIT;
}
