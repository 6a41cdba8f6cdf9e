import type pg from "pg";
import { requireApiAccess } from "../../accounts/keys/api-access.ts";
import type { Caller } from "../../accounts/keys/caller.ts";
import type { Context } from "../../platform/context.ts";
import { cancelQueued } from "../deliveries/cancel-queued.ts";
import { type AskedEndpoint, changedEndpoint, type WebhookIn } from "./asked-endpoint.ts";
import { type EndpointShown, endpointOut, type WebhookOut } from "./endpoint-out.ts";
import { noSuchEndpoint } from "./endpoints.ts";

/** The members of an endpoint to change; the others stay. */
export type EndpointChange = Partial<WebhookIn>;

/**
 * Changes an endpoint's address, note or event types; its secret stays. Queued deliveries go to the new address. Queued
 * deliveries of removed event types are cancelled. Of added types the endpoint gets the events that come from now on. A new
 * address resets the streak of failures. InvalidRequestError; ProblemError plan_has_no_api_access, not_found, invalid_url,
 * event_type_not_in_plan.
 */
export async function updateEndpoint(
  context: Context,
  caller: Pick<Caller, "accountId" | "feeds" | "hasApiAccess">,
  endpointId: number,
  change: EndpointChange,
): Promise<WebhookOut> {
  requireApiAccess(caller);
  return context.db.transaction(async (client) => {
    const current = await lockedEndpoint(client, caller.accountId, endpointId);
    const next = changedEndpoint(context, caller, current, change);
    const updated = await write(client, current, next);
    const dropped = current.eventTypes.filter((type) => !next.eventTypes.includes(type));
    if (dropped.length > 0) {
      const now = context.clock.now();
      await cancelQueued(client, { endpointId, reason: "unsubscribed", now, eventTypes: dropped });
    }
    return endpointOut(updated);
  });
}

type Endpoint = Omit<EndpointShown, "eventTypes"> & AskedEndpoint;

const SHOWN_COLUMNS = `id, url, description, event_types AS "eventTypes", active, failure_streak AS "failureStreak",
  disabled_reason AS "disabledReason", secret_prefix AS "secretPrefix", created_at AS "createdAt"`;

async function lockedEndpoint(
  client: pg.ClientBase,
  accountId: number,
  endpointId: number,
): Promise<Endpoint> {
  const { rows } = await client.query<Endpoint>(
    `SELECT ${SHOWN_COLUMNS} FROM webhook_endpoint
     WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL
     FOR NO KEY UPDATE`,
    [endpointId, accountId],
  );
  if (rows[0] === undefined) throw noSuchEndpoint();
  return rows[0];
}

async function write(client: pg.ClientBase, current: Endpoint, next: AskedEndpoint): Promise<Endpoint> {
  const { rows } = await client.query<Endpoint>(
    `UPDATE webhook_endpoint
     SET url = $2, description = $3, event_types = $4,
       failure_streak = CASE WHEN url = $2 THEN failure_streak ELSE 0 END
     WHERE id = $1
     RETURNING ${SHOWN_COLUMNS}`,
    [current.id, next.url, next.description, next.eventTypes],
  );
  return rows[0] as Endpoint;
}
