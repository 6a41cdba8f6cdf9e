// Webhooks: customers' endpoints, and the signed deliveries of events to them.
// It owns all tables whose names begin with webhook_.
// It promises that only its own account sees and changes an endpoint, and that a secret is shown once and stored encrypted.
import type { Caller } from "../../accounts/keys/caller.ts";
import { planScope } from "../../events/scope.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { endpointOut, type WebhookOut } from "./endpoint-out.ts";
import * as sql from "./statements.ts";

/** Maximum length of the contract's list. */
const LONGEST_LIST = 1_000;

/** The endpoints of an account, oldest first: all active ones, and the newest paused ones up to the limit. */
async function listEndpoints(context: Context, accountId: number): Promise<WebhookOut[]> {
  const endpoints = await context.db.prisma.webhookEndpoint.findMany({
    where: { accountId, deletedAt: null },
    omit: { secretSealed: true, previousSecretSealed: true },
    orderBy: [{ active: "desc" }, { id: "desc" }],
    take: LONGEST_LIST,
  });
  const now = context.clock.now();
  return endpoints.sort((one, other) => one.id - other.id).map((endpoint) => endpointOut(endpoint, now));
}

/** The caller's endpoints, and the event types that the plan includes. */
export async function readEndpoints(
  context: Context,
  caller: Pick<Caller, "accountId" | "feeds">,
): Promise<components["schemas"]["WebhooksOut"]> {
  return {
    data: await listEndpoints(context, caller.accountId),
    available_event_types: [...planScope(caller).keys()],
  };
}

/** One endpoint of the account. ProblemError not_found. */
export async function readEndpoint(
  { db, clock }: Context,
  accountId: number,
  endpointId: number,
): Promise<WebhookOut> {
  const { rows } = await sql.readEndpoint.run(db.pool, { endpointId, accountId });
  if (rows[0] === undefined) throw noSuchEndpoint();
  return endpointOut(rows[0], clock.now());
}

/** The same error for another account's endpoint and for none, so that nobody learns which ids exist. */
export const noSuchEndpoint = (): ProblemError =>
  new ProblemError("not_found", "Your account has no webhook endpoint of this id.");

/** The problem when something should be sent to a paused endpoint. */
export const endpointPaused = (endpointId: number): ProblemError =>
  new ProblemError(
    "endpoint_paused",
    `The endpoint is paused, so nothing is sent to it. Enable it first: PATCH /v1/webhooks/${endpointId} with active true.`,
  );
