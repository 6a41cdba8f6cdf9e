import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { cancelQueued } from "../deliveries/cancel-queued.ts";
import { noSuchEndpoint } from "./endpoints.ts";
import * as sql from "./statements.ts";

/** Why an endpoint is paused: the values of `disabled_reason`. */
export const PAUSE_REASONS = ["paused_by_customer", "too_many_failures", "plan_changed"] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/**
 * Pauses an endpoint and cancels its queued deliveries, except tests, in the caller's transaction. Returns false and
 * changes nothing when it was paused already.
 */
export async function pauseEndpoint(
  client: Queryable,
  { endpointId, reason, now }: { endpointId: number; reason: PauseReason; now: Date },
): Promise<boolean> {
  const { rowCount } = await sql.pauseEndpoint.run(client, { endpointId, reason, now });
  if (rowCount === 0) return false;
  const cancelReason = reason === "plan_changed" ? "plan_changed" : "paused";
  await cancelQueued(client, { endpointId, reason: cancelReason, now });
  return true;
}

/** Pauses an endpoint for its account; pausing it again changes nothing. ProblemError not_found. */
export async function pauseByCustomer(
  context: Context,
  accountId: number,
  endpointId: number,
): Promise<void> {
  await context.db.transaction(async (client) => {
    const { rowCount } = await sql.findOwn.run(client, { endpointId, accountId });
    if (rowCount === 0) throw noSuchEndpoint();
    await pauseEndpoint(client, { endpointId, reason: "paused_by_customer", now: context.clock.now() });
  });
}
