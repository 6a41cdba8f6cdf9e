import type { Context } from "../../platform/context.ts";
import * as sql from "./statements.ts";

/** After this time nothing of a deleted endpoint is in flight, and its test deliveries no longer count for the limit. */
const AFTER_MS = 10 * 60_000;
const DELIVERIES_AT_ONCE = 2_000;

/** Erases deleted endpoints with their deliveries and attempts. */
export async function eraseDeleted({ db }: Context, now: Date): Promise<void> {
  const deletedBefore = new Date(now.getTime() - AFTER_MS);
  for (let erased = DELIVERIES_AT_ONCE; erased === DELIVERIES_AT_ONCE; ) {
    const { rows } = await sql.eraseDeleted.run(db.pool, { deletedBefore, most: DELIVERIES_AT_ONCE });
    erased = rows[0]?.erased ?? 0;
  }
  await sql.eraseEndpoints.run(db.pool, { deletedBefore });
}
