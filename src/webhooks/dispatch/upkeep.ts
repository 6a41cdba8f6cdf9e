import type { Context } from "../../platform/context.ts";
import { CARRIED_TYPES } from "../endpoints/carried-types.ts";
import { pauseEndpoint } from "../endpoints/pause.ts";
import * as sql from "./statements.ts";

const CANCELLED_AT_ONCE = 5_000;

/** Queues again the deliveries of a process that died; gives how many. */
export async function sweepLeases({ db, metrics }: Context, now: Date): Promise<number> {
  const { rowCount } = await sql.sweep.run(db.pool, { now });
  metrics.deliveries.inc({ outcome: "lease_over" }, rowCount);
  return rowCount;
}

/** Pauses endpoints whose account's plan no longer includes any of their event types. */
export async function pauseWithoutPlan({ db }: Context, now: Date): Promise<void> {
  const { rows } = await sql.endpointsWithoutPlan.run(db.pool, { carriedTypes: CARRIED_TYPES });
  for (const { id } of rows) {
    await db.transaction((client) => pauseEndpoint(client, { endpointId: id, reason: "plan_changed", now }));
  }
}

/** Cancels deliveries that are still queued for paused endpoints: pausing an endpoint with a long queue leaves some. */
export async function cancelForPaused({ db, metrics }: Context, now: Date): Promise<void> {
  for (let cancelled = CANCELLED_AT_ONCE; cancelled === CANCELLED_AT_ONCE; ) {
    const { rowCount } = await sql.cancelPaused.run(db.pool, { now, most: CANCELLED_AT_ONCE });
    cancelled = rowCount;
    metrics.deliveries.inc({ outcome: "cancelled_paused" }, cancelled);
  }
}
