import { requireApiAccess } from "../../accounts/keys/api-access.ts";
import type { Caller } from "../../accounts/keys/caller.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { newEndpointSecret, sealEndpointSecret, secretPrefixOf } from "../secret.ts";
import { endpointLimitReached, lockAccount, mayAddEndpoint } from "./account-limits.ts";
import { type AskedEndpoint, askedEndpoint, type WebhookIn } from "./asked-endpoint.ts";
import { endpointOut, type WebhookOut } from "./endpoint-out.ts";
import * as sql from "./statements.ts";

/**
 * Registers an endpoint for the events that come from now on. Only this answer shows its secret.
 * InvalidRequestError; ProblemError plan_has_no_api_access, invalid_url, event_type_not_in_plan,
 * endpoint_limit_reached.
 */
export async function createEndpoint(
  context: Context,
  caller: Pick<Caller, "accountId" | "feeds" | "hasApiAccess">,
  body: WebhookIn,
): Promise<WebhookOut> {
  const { accountId } = caller;
  requireApiAccess(caller);
  const asked = askedEndpoint(context, caller, body);
  // Refuses most of a flood before it blocks on the lock and holds a connection.
  await requireBelowLimit(context.db.pool, accountId);
  return context.db.transaction(async (client) => {
    await lockAccount(client, accountId);
    await requireBelowLimit(client, accountId);
    return insert(context, client, accountId, asked);
  });
}

async function requireBelowLimit(db: Queryable, accountId: number): Promise<void> {
  if (!(await mayAddEndpoint(db, accountId))) throw endpointLimitReached();
}

async function insert(
  context: Context,
  client: Queryable,
  accountId: number,
  { filters, ...asked }: AskedEndpoint,
): Promise<WebhookOut> {
  // The secret is encrypted for this id, so the id comes first.
  const { rows } = await sql.nextEndpointId.run(client);
  const { id } = rows[0] as { id: number };
  const secret = newEndpointSecret();
  const [secretPrefix, createdAt] = [secretPrefixOf(secret), context.clock.now()];
  await sql.insertEndpoint.run(client, {
    id,
    accountId,
    ...asked,
    ...filters,
    secretSealed: sealEndpointSecret(context, id, secret),
    secretPrefix,
    createdAt,
  });
  const { rows: inserted } = await sql.readEndpoint.run(client, { endpointId: id, accountId });
  return { ...endpointOut(inserted[0] as sql.ReadEndpointRow, createdAt), secret };
}
