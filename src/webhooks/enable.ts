import type pg from "pg";
import type { Context } from "../platform/context.ts";
import { hasRoomForEndpoint, lockAccount } from "./account-limits.ts";

/** What became of enabling an endpoint. `limit_reached`: the account has as many active ones as it may. */
export type Enabling = "enabled" | "was_active" | "limit_reached" | "not_found";

/**
 * Makes a paused endpoint active again, for the events that come from now on, its streak of failures forgotten. With
 * an account, another account's endpoint is not found; without one, an operator means any.
 */
export async function enableEndpoint(
  context: Context,
  { endpointId, accountId }: { endpointId: number; accountId?: number },
): Promise<Enabling> {
  return context.db.transaction(async (client) => {
    const owner = await ownerOf(client, endpointId);
    if (owner === null || (accountId !== undefined && accountId !== owner)) return "not_found";
    await lockAccount(client, owner);
    if (await isActive(client, endpointId)) return "was_active";
    if (!(await hasRoomForEndpoint(client, owner))) return "limit_reached";
    await client.query(
      `UPDATE webhook_endpoint
       SET active = true, failure_streak = 0, disabled_reason = NULL, paused_at = NULL,
         after_event_id = (SELECT coalesce(max(id), 0) FROM event)
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

async function isActive(client: pg.ClientBase, endpointId: number): Promise<boolean> {
  const { rows } = await client.query<{ active: boolean }>(
    "SELECT active FROM webhook_endpoint WHERE id = $1 FOR NO KEY UPDATE",
    [endpointId],
  );
  return rows[0]?.active === true;
}
