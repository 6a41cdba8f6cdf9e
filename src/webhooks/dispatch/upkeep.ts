import type { Context } from "../../platform/context.ts";
import { loadSql } from "../../platform/database/sql.ts";
import { CARRIED_TYPES } from "../endpoints/carried-types.ts";
import { pauseEndpoint } from "../endpoints/pause.ts";

const SWEEP_SQL = loadSql(import.meta.url, "sweep.sql");
const CANCEL_PAUSED_SQL = loadSql(import.meta.url, "cancel-paused.sql");
const WITHOUT_PLAN_SQL = loadSql(import.meta.url, "endpoints-without-plan.sql");

const CANCELLED_AT_ONCE = 5_000;

/** Queues again the deliveries of a process that died; gives how many. */
export async function sweepLeases({ db, metrics }: Context, now: Date): Promise<number> {
  const { rowCount } = await db.pool.query(SWEEP_SQL, [now]);
  metrics.deliveries.inc({ outcome: "lease_over" }, rowCount ?? 0);
  return rowCount ?? 0;
}

/** Pauses endpoints whose account's plan no longer includes any of their event types. */
export async function pauseWithoutPlan({ db }: Context, now: Date): Promise<void> {
  const { rows } = await db.pool.query<{ id: number }>(WITHOUT_PLAN_SQL, [CARRIED_TYPES]);
  for (const { id } of rows) {
    await db.transaction((client) => pauseEndpoint(client, { endpointId: id, reason: "plan_changed", now }));
  }
}

/** Cancels deliveries that are still queued for paused endpoints: pausing an endpoint with a long queue leaves some. */
export async function cancelForPaused({ db, metrics }: Context, now: Date): Promise<void> {
  for (let cancelled = CANCELLED_AT_ONCE; cancelled === CANCELLED_AT_ONCE; ) {
    const { rowCount } = await db.pool.query(CANCEL_PAUSED_SQL, [now, CANCELLED_AT_ONCE]);
    cancelled = rowCount ?? 0;
    metrics.deliveries.inc({ outcome: "cancelled_paused" }, cancelled);
  }
}
