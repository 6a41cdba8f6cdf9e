import { CARRIED_TYPES } from "../../events/event-types.ts";
import * as sql from "../../generated/sql/webhooks/upkeep.ts";
import type { Context } from "../../platform/context.ts";
import { pauseEndpoint } from "../endpoints/pause-or-delete.ts";
import { cancelRetries } from "../queue/cancel-queued.ts";

/** Pauses endpoints whose account's plan no longer includes any of their event types. */
export async function pauseWithoutPlan({ db }: Context, now: Date): Promise<void> {
  const rows = await sql.endpointsWithoutPlan(db.pool, { carriedTypes: CARRIED_TYPES });
  for (const { id } of rows) {
    await db.transaction((client) => pauseEndpoint(client, { endpointId: id, reason: "plan_changed", now }));
  }
}

/** Cancels deliveries that still wait for a retry of a paused endpoint: pausing one with a long queue leaves some. */
export async function cancelForPaused({ db, metrics }: Context, now: Date): Promise<void> {
  const rows = await sql.pausedWithRetries(db.pool);
  for (const { endpointId, isDeleted, disabledReason } of rows) {
    const wide = disabledReason === "plan_changed" ? "plan_changed" : "paused";
    const reason = isDeleted ? "deleted" : wide;
    for (let cancelled = -1; cancelled !== 0; ) {
      cancelled = await cancelRetries(db.pool, { endpointId, reason, now });
      metrics.deliveries.inc({ outcome: `cancelled_${reason}` }, cancelled);
    }
  }
}

/** Erases secrets that no longer sign anything: the overlap of their rotation is over. */
export async function erasePreviousSecrets({ db }: Context, now: Date): Promise<void> {
  await sql.erasePreviousSecrets(db.pool, { now });
}

/** After this time nothing of a deleted endpoint is in flight, and its test deliveries no longer count for the limit. */
const ERASE_AFTER_MS = 10 * 60_000;
const ERASED_AT_ONCE = 2_000;

/** Erases deleted endpoints with their deliveries and results, and retries whose deliveries are past their retention. */
export async function eraseDeleted({ db }: Context, now: Date): Promise<void> {
  const deletedBefore = new Date(now.getTime() - ERASE_AFTER_MS);
  for (let erased = ERASED_AT_ONCE; erased === ERASED_AT_ONCE; ) {
    ({ erased } = await sql.eraseDeleted(db.pool, { deletedBefore, most: ERASED_AT_ONCE }));
  }
  await sql.eraseEndpoints(db.pool, { deletedBefore });
}
