import { requireApiAccess } from "../../accounts/keys/api-access.ts";
import type { Caller } from "../../accounts/keys/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { cancelQueued } from "../deliveries/cancel-queued.ts";
import { type AskedEndpoint, changedEndpoint, type WebhookIn } from "./asked-endpoint.ts";
import { endpointOut, type WebhookOut } from "./endpoint-out.ts";
import { noSuchEndpoint } from "./endpoints.ts";
import * as sql from "./statements.ts";

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
    const updated = await write(client, current.id, next);
    const dropped = current.eventTypes.filter((type) => !next.eventTypes.includes(type));
    if (dropped.length > 0) {
      const now = context.clock.now();
      await cancelQueued(client, { endpointId, reason: "unsubscribed", now, eventTypes: dropped });
    }
    return endpointOut(updated);
  });
}

async function lockedEndpoint(
  client: Queryable,
  accountId: number,
  endpointId: number,
): Promise<sql.LockEndpointRow> {
  const { rows } = await sql.lockEndpoint.run(client, { endpointId, accountId });
  if (rows[0] === undefined) throw noSuchEndpoint();
  return rows[0];
}

async function write(client: Queryable, id: number, next: AskedEndpoint): Promise<sql.UpdateEndpointRow> {
  const { rows } = await sql.updateEndpoint.run(client, { id, ...next });
  return rows[0] as sql.UpdateEndpointRow;
}
