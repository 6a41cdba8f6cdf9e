import { lockAccount } from "../../accounts/accounts.ts";
import { type Caller, requireApiAccess } from "../../accounts/keys/caller.ts";
import { type Doer, makerOf, recordAction } from "../../accounts/people/account-log.ts";
import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { newEndpointSecret, sealEndpointSecret, secretPrefixOf } from "../secrets/secret.ts";
import { endpointLimitReached, mayAddEndpoint } from "./account-limits.ts";
import { type AskedEndpoint, askedEndpoint, type WebhookIn } from "./asked-endpoint.ts";
import { endpointOut, type WebhookOut } from "./endpoints.ts";
import { requireOwnWatchlists } from "./watchlist-filter.ts";

/**
 * Registers an endpoint for the events that come from now on. Only this answer shows its secret.
 * InvalidRequestError; ProblemError plan_has_no_api_access, invalid_url, event_type_not_in_plan,
 * endpoint_limit_reached.
 */
export async function createEndpoint(
  context: Context,
  caller: Doer & Pick<Caller, "feeds" | "hasApiAccess">,
  body: WebhookIn,
): Promise<WebhookOut> {
  const { accountId } = caller;
  requireApiAccess(caller);
  const asked = askedEndpoint(context, caller, body);
  // Refuses most of a flood before it blocks on the lock and holds a connection.
  await requireBelowLimit(context, context.db.pool, accountId);
  return context.db.transaction(async (client) => {
    await lockAccount(client, accountId);
    await requireBelowLimit(context, client, accountId);
    await requireOwnWatchlists(client, accountId, body.filters);
    return insert(context, client, caller, asked);
  });
}

async function requireBelowLimit(context: Context, db: Queryable, accountId: number): Promise<void> {
  if (!(await mayAddEndpoint(context, db, accountId))) throw endpointLimitReached();
}

async function insert(
  context: Context,
  client: Queryable,
  doer: Doer,
  { filters, ...asked }: AskedEndpoint,
): Promise<WebhookOut> {
  // The secret is encrypted for this id, so the id comes first.
  const { id } = await sql.nextEndpointId(client);
  const { accountId } = doer;
  const secret = newEndpointSecret();
  const [secretPrefix, createdAt] = [secretPrefixOf(secret), context.clock.now()];
  await sql.insertEndpoint(client, {
    id,
    accountId,
    madeBy: makerOf(doer),
    ...asked,
    ...filters,
    secretSealed: sealEndpointSecret(context, id, secret),
    secretPrefix,
    createdAt,
  });
  await recordAction(client, doer, { action: "endpoint_made", subject: id, now: createdAt });
  const inserted = await sql.lockEndpoint(client, { endpointId: id, accountId });
  return { ...endpointOut(inserted as sql.LockEndpointRow, createdAt), secret };
}
