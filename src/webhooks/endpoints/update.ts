import { lockAccount } from "../../accounts/accounts.ts";
import { type Caller, requireApiAccess } from "../../accounts/keys/caller.ts";
import { type Doer, recordAction } from "../../accounts/people/account-log.ts";
import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { cancelQueued, cancelRetries } from "../queue/cancel-queued.ts";
import type { DeliveredType } from "../queue/delivered-type.ts";
import { type AskedEndpoint, changedEndpoint, type WebhookIn } from "./asked-endpoint.ts";
import { enableInAccount, problemOfEnabling } from "./enable.ts";
import { endpointOut, noSuchEndpoint, type WebhookOut } from "./endpoints.ts";
import { filtersOf } from "./filters.ts";
import { pauseEndpoint } from "./pause-or-delete.ts";
import { requireOwnWatchlists } from "./watchlist-filter.ts";

/** The members of an endpoint to change; the others stay. `active` pauses or enables it, after the others were changed. */
export type EndpointChange = Partial<WebhookIn> & { active?: boolean };

/**
 * Changes members of an endpoint; its secret stays. Queued deliveries go to the new address, in the new payload. Queued
 * deliveries of removed event types are cancelled. Of added types the endpoint gets the events that come from now on; new
 * filters decide about these too. A new address resets the streak of failures. InvalidRequestError; ProblemError plan_has_no_api_access, not_found, invalid_url,
 * event_type_not_in_plan, endpoint_limit_reached, paused_by_operator.
 */
export async function updateEndpoint(
  context: Context,
  caller: Doer & Pick<Caller, "feeds" | "hasApiAccess">,
  endpointId: number,
  change: EndpointChange,
): Promise<WebhookOut> {
  requireApiAccess(caller);
  return context.db.transaction(async (client) => {
    const { accountId } = caller;
    const now = context.clock.now();
    // Enabling locks the account before the endpoint.
    if (change.active) await lockAccount(client, accountId);
    const current = await lockedEndpoint(client, accountId, endpointId);
    const filters = filtersOf(current);
    const next = changedEndpoint(context, caller, { ...current, filters }, change);
    await requireOwnWatchlists(client, accountId, change.filters, filters.watchlists ?? []);
    await write(client, current.id, next);
    await recordAction(client, caller, { action: "endpoint_changed", subject: endpointId, now });
    await cancelUnsubscribed(client, current, next, now);
    if (change.active === false)
      await pauseEndpoint(client, { endpointId, reason: "paused_by_customer", now });
    if (change.active === true) {
      const problem = problemOfEnabling(await enableInAccount(context, client, { endpointId, accountId }));
      if (problem !== null) throw problem;
    }
    return endpointOut(await lockedEndpoint(client, accountId, endpointId), now);
  });
}

/** Cancels what an endpoint does not ask for any more. Corrections that wait for their first attempt are cancelled by the dispatcher. */
async function cancelUnsubscribed(
  client: Queryable,
  before: sql.LockEndpointRow,
  next: AskedEndpoint,
  now: Date,
): Promise<void> {
  const cancelling = { endpointId: before.id, reason: "unsubscribed", now } as const;
  const eventTypes: DeliveredType[] = before.eventTypes.filter((type) => !next.eventTypes.includes(type));
  if (before.changes && !next.changes) eventTypes.push("carrier_change");
  if (eventTypes.length > 0) await cancelQueued(client, { ...cancelling, eventTypes });
  if (before.corrections && !next.corrections)
    await cancelRetries(client, { ...cancelling, onlyCorrections: true });
}

async function lockedEndpoint(
  client: Queryable,
  accountId: number,
  endpointId: number,
): Promise<sql.LockEndpointRow> {
  const row = await sql.lockEndpoint(client, { endpointId, accountId });
  if (row === undefined) throw noSuchEndpoint();
  return row;
}

async function write(client: Queryable, id: number, { filters, ...next }: AskedEndpoint): Promise<void> {
  await sql.updateEndpoint(client, { id, ...next, ...filters });
}
