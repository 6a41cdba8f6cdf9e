import type pg from "pg";
import type { Context } from "../platform/context.ts";
import { noSuchEndpoint } from "./endpoints.ts";

/** Why an endpoint is paused, as `disabled_reason` says it. */
export type PauseReason = "paused_by_customer" | "too_many_failures" | "plan_changed";

/** Of a queue that is longer, dispatchers cancel the rest: nobody is to wait for that, and nothing of it is sent. */
const CANCELLED_AT_ONCE = 10_000;

/**
 * Pauses an endpoint and cancels what is queued for it; test deliveries go out all the same. Runs in the caller's
 * transaction. False when it was paused already, and then nothing changes.
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
  // A statement of its own: it sees what was queued while the first one waited for the endpoint.
  await client.query(
    `UPDATE webhook_delivery SET status = 'cancelled', cancel_reason = $3, finished_at = $2
     -- A list, so that the queue is read once, whatever the statistics of a table that has just grown make of it.
     WHERE id = ANY (ARRAY(
       SELECT id FROM webhook_delivery
       WHERE endpoint_id = $1 AND status = 'queued' AND NOT is_test
       LIMIT ${CANCELLED_AT_ONCE}
       FOR NO KEY UPDATE))`,
    [endpointId, now, reason === "plan_changed" ? "plan_changed" : "paused"],
  );
  return true;
}

/** Pauses an endpoint because its account wants it so; pausing it again changes nothing. ProblemError not_found. */
export async function pauseByCustomer(
  context: Context,
  accountId: number,
  endpointId: number,
): Promise<void> {
  await context.db.transaction(async (client) => {
    const { rowCount } = await client.query(
      "SELECT FROM webhook_endpoint WHERE id = $1::bigint AND account_id = $2",
      [endpointId, accountId],
    );
    if (rowCount === 0) throw noSuchEndpoint();
    await pauseEndpoint(client, { endpointId, reason: "paused_by_customer", now: context.clock.now() });
  });
}
