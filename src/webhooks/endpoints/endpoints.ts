// Webhooks: addresses of customers, and the signed deliveries of events to them.
// Owns the tables webhook_endpoint, webhook_delivery, webhook_attempt and webhook_fan_out.
// Promises that an endpoint is seen and changed by its own account only, and that a secret is shown once and kept sealed.
import type { Caller } from "../../accounts/keys/caller.ts";
import { planScope } from "../../events/scope.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { endpointOut, type WebhookOut } from "./endpoint-out.ts";

/** What the contract's list holds at most. */
const LONGEST_LIST = 1_000;

/** The endpoints of an account, oldest first, active and paused; of very many paused ones the newest. */
async function listEndpoints(context: Context, accountId: number): Promise<WebhookOut[]> {
  const endpoints = await context.db.prisma.webhookEndpoint.findMany({
    where: { accountId, deletedAt: null },
    omit: { secretSealed: true },
    orderBy: [{ active: "desc" }, { id: "desc" }],
    take: LONGEST_LIST,
  });
  return endpoints.sort((one, other) => one.id - other.id).map(endpointOut);
}

/** The caller's endpoints, and the event types that new ones may ask for. */
export async function readEndpoints(
  context: Context,
  caller: Pick<Caller, "accountId" | "feeds">,
): Promise<components["schemas"]["WebhooksOut"]> {
  return {
    data: await listEndpoints(context, caller.accountId),
    available_event_types: [...planScope(caller).keys()],
  };
}

/** The same for an endpoint of another account and for none, so that nobody learns which ids there are. */
export const noSuchEndpoint = (): ProblemError =>
  new ProblemError("not_found", "Your account has no webhook endpoint of this id.");
