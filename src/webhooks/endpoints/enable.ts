import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { hasRoomForEndpoint, lockAccount } from "./account-limits.ts";
import { CARRIED_TYPES } from "./carried-types.ts";

/**
 * The outcome of enabling an endpoint. `limit_reached`: the account has the maximum of active endpoints. `not_in_plan`: the
 * plan has no API access or none of the endpoint's event types, so it would be paused again at once.
 */
export type Enabling = "enabled" | "was_active" | "limit_reached" | "not_in_plan" | "not_found";

/**
 * Makes a paused endpoint active again for the events that come from now on, and resets its streak of failures. With
 * `accountId`, another account's endpoint is not found. Without it, as for operators, every endpoint is.
 */
export async function enableEndpoint(
  context: Context,
  { endpointId, accountId }: { endpointId: number; accountId?: number },
): Promise<Enabling> {
  return context.db.transaction(async (client) => {
    const owner = await ownerOf(client, endpointId);
    if (owner === null || (accountId !== undefined && accountId !== owner)) return "not_found";
    await lockAccount(client, owner);
    const endpoint = await lockedState(client, endpointId);
    if (endpoint === null) return "not_found";
    if (endpoint.isActive) return "was_active";
    if (!endpoint.isInPlan) return "not_in_plan";
    if (!(await hasRoomForEndpoint(client, owner))) return "limit_reached";
    await client.query(
      `UPDATE webhook_endpoint
       SET active = true, failure_streak = 0, disabled_reason = NULL, paused_at = NULL,
         after_event_id = (SELECT coalesce(max(id), 0) FROM event_position)
       WHERE id = $1`,
      [endpointId],
    );
    return "enabled";
  });
}

async function ownerOf(client: pg.ClientBase, endpointId: number): Promise<number | null> {
  const { rows } = await client.query<{ account_id: number }>(
    "SELECT account_id FROM webhook_endpoint WHERE id = $1::bigint",
    [endpointId],
  );
  return rows[0]?.account_id ?? null;
}

/** The endpoint's state while its account is locked; null when it was deleted. */
async function lockedState(
  client: pg.ClientBase,
  endpointId: number,
): Promise<{ isActive: boolean; isInPlan: boolean } | null> {
  const { rows } = await client.query<{ isActive: boolean; isInPlan: boolean }>(
    `SELECT endpoint.active AS "isActive",
       EXISTS (
         SELECT FROM unnest(endpoint.event_types) AS event_type
         CROSS JOIN plan_event_feed(account.plan_code, event_type, $2::text[])) AS "isInPlan"
     FROM webhook_endpoint AS endpoint
     JOIN account ON account.id = endpoint.account_id
     WHERE endpoint.id = $1 AND endpoint.deleted_at IS NULL
     FOR NO KEY UPDATE OF endpoint`,
    [endpointId, CARRIED_TYPES],
  );
  return rows[0] ?? null;
}
