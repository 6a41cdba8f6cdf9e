import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { cancelQueued } from "../deliveries/cancel-queued.ts";
import { noSuchEndpoint } from "./endpoints.ts";

/** Why an endpoint is paused: the values of `disabled_reason`. */
export type PauseReason = "paused_by_customer" | "too_many_failures" | "plan_changed";

/**
 * Pauses an endpoint and cancels its queued deliveries, except tests, in the caller's transaction. Returns false and
 * changes nothing when it was paused already.
 */
export async function pauseEndpoint(
  client: Pick<pg.ClientBase, "query">,
  { endpointId, reason, now }: { endpointId: number; reason: PauseReason; now: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE webhook_endpoint SET active = false, disabled_reason = $2, paused_at = $3
     WHERE id = $1 AND active`,
    [endpointId, reason, now],
  );
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
    const { rowCount } = await client.query(
      "SELECT FROM webhook_endpoint WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL",
      [endpointId, accountId],
    );
    if (rowCount === 0) throw noSuchEndpoint();
    await pauseEndpoint(client, { endpointId, reason: "paused_by_customer", now: context.clock.now() });
  });
}
