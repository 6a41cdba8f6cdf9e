import type { Context } from "../../platform/context.ts";
import { loadSql } from "../../platform/database/sql.ts";

const ERASE_SQL = loadSql(import.meta.url, "erase-deleted.sql");

/** After this time nothing of a deleted endpoint is in flight, and its test deliveries no longer count for the limit. */
const AFTER_MS = 10 * 60_000;
const DELIVERIES_AT_ONCE = 2_000;

/** Erases deleted endpoints with their deliveries and attempts. */
export async function eraseDeleted({ db }: Context, now: Date): Promise<void> {
  const deletedBefore = new Date(now.getTime() - AFTER_MS);
  for (let erased = DELIVERIES_AT_ONCE; erased === DELIVERIES_AT_ONCE; ) {
    const { rows } = await db.pool.query<{ erased: number }>(ERASE_SQL, [deletedBefore, DELIVERIES_AT_ONCE]);
    erased = rows[0]?.erased ?? 0;
  }
  await db.pool.query(
    `DELETE FROM webhook_endpoint AS endpoint
     WHERE deleted_at <= $1 AND NOT EXISTS (SELECT FROM webhook_delivery WHERE endpoint_id = endpoint.id)`,
    [deletedBefore],
  );
}
