import { lockAccount } from "../../accounts/accounts.ts";
import { type Maker, recordAction } from "../../accounts/people/account-log.ts";
import { CARRIED_TYPES } from "../../events/event-types.ts";
import * as sql from "../../generated/sql/webhooks/endpoints.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { endpointLimitReached, mayAddEndpoint } from "./account-limits.ts";
import { noSuchEndpoint } from "./endpoints.ts";

/**
 * The outcome of enabling an endpoint. `limit_reached`: the account has the maximum of active endpoints. `not_in_plan`: the
 * plan has no API access or none of the endpoint's event types, so it would be paused again at once. `paused_by_operator`:
 * only operators may enable it.
 */
export type Enabling =
  | "enabled"
  | "was_active"
  | "limit_reached"
  | "not_in_plan"
  | "paused_by_operator"
  | "not_found";

/**
 * Makes a paused endpoint active again for the events that come from now on, and resets its streak of failures. With
 * `accountId`, another account's endpoint is not found. Without it, as for operators, every endpoint is.
 */
export async function enableEndpoint(
  context: Context,
  { endpointId, accountId, person }: { endpointId: number; accountId?: number } & Maker,
): Promise<Enabling> {
  return context.db.transaction(async (client) => {
    const owner = await ownerOf(client, endpointId);
    if (owner === null || (accountId !== undefined && accountId !== owner)) return "not_found";
    await lockAccount(client, owner);
    const isOperator = accountId === undefined;
    const outcome = await enableInAccount(context, client, { endpointId, accountId: owner, isOperator });
    if (outcome === "enabled") {
      const now = context.clock.now();
      const doer = { accountId: owner, person };
      await recordAction(client, doer, { action: "endpoint_enabled", subject: endpointId, now });
    }
    return outcome;
  });
}

/** Enables an endpoint as `enableEndpoint` does, in the caller's transaction, which has locked the account. */
export async function enableInAccount(
  context: Context,
  client: Queryable,
  {
    endpointId,
    accountId,
    isOperator = false,
  }: { endpointId: number; accountId: number; isOperator?: boolean },
): Promise<Enabling> {
  const endpoint = await lockedState(client, endpointId);
  if (endpoint === null) return "not_found";
  if (endpoint.isActive) return "was_active";
  if (endpoint.disabledReason === "paused_by_operator" && !isOperator) return "paused_by_operator";
  if (!endpoint.isInPlan) return "not_in_plan";
  if (!(await mayAddEndpoint(context, client, accountId))) return "limit_reached";
  await sql.enableEndpoint(client, { endpointId });
  return "enabled";
}

/** The problem of an endpoint that cannot be enabled; null when it is active now. */
export function problemOfEnabling(outcome: Enabling): ProblemError | null {
  if (outcome === "not_found") return noSuchEndpoint();
  if (outcome === "limit_reached") return endpointLimitReached();
  if (outcome === "not_in_plan") return noTypeInPlan();
  if (outcome === "paused_by_operator") return pausedByOperator();
  return null;
}

const noTypeInPlan = (): ProblemError =>
  new ProblemError(
    "event_type_not_in_plan",
    "Your plan includes none of the endpoint's event types. Edit the endpoint and choose other types, or change the plan.",
  );

const pausedByOperator = (): ProblemError =>
  new ProblemError(
    "paused_by_operator",
    "The operator of this service paused the endpoint. Ask the operator to enable it.",
  );

async function ownerOf(client: Queryable, endpointId: number): Promise<number | null> {
  const row = await sql.findOwner(client, { endpointId });
  return row?.account_id ?? null;
}

/** The endpoint's state while its account is locked; null when it was deleted. */
async function lockedState(client: Queryable, endpointId: number): Promise<sql.LockStateRow | null> {
  const row = await sql.lockState(client, { endpointId, carriedTypes: CARRIED_TYPES });
  return row ?? null;
}
