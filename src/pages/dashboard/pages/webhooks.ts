import { callerOfAccount } from "../../../accounts/keys/account-caller.ts";
import { requireApiAccess } from "../../../accounts/keys/api-access.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { queueTestDelivery } from "../../../webhooks/deliveries/test-delivery.ts";
import { createEndpoint } from "../../../webhooks/endpoints/create.ts";
import { enableEndpoint, problemOfEnabling } from "../../../webhooks/endpoints/enable.ts";
import { endpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { noSuchEndpoint, readEndpoints } from "../../../webhooks/endpoints/endpoints.ts";
import { pauseByCustomer } from "../../../webhooks/endpoints/pause.ts";
import { dashboardLink } from "../../frame/links.ts";
import type { Html } from "../../kit/html.ts";
import type { Routes } from "../dashboard.ts";
import { sendPage } from "../layout.ts";
import { addressAfter, doneToast } from "../parts/done.ts";
import { type RefusedEndpoint, savedBy } from "../parts/endpoint-form.ts";
import { redirectWithNote } from "../parts/shown-once.ts";
import { endpointsPage, type NewSecret } from "./webhook-parts.ts";

const HERE = "/webhooks";

/** Routes the list of endpoints, and making, pausing, enabling and testing them. */
export const webhookRoutes: Routes = (router, context, guard) => {
  const here = dashboardLink(context, HERE);
  router.get(
    HERE,
    guard(async (request, response, session) => {
      sendPage(context, response, await listPage(context, session, { top: doneToast(request) }));
    }),
  );
  router.post(
    HERE,
    guard(async (request, response, session) => {
      const refused = await savedBy(context, request, async (asked) => {
        const caller = await callerOfAccount(context, session.accountId);
        const { id, secret } = await createEndpoint(context, caller, asked);
        const note: NewSecret = { title: "Your new endpoint", id, secret: secret ?? "", previousUntil: null };
        await redirectWithNote(context, request, response, { address: `${here}/${id}`, note });
      });
      if (refused === null) return;
      const page = await listPage(context, session, { top: null, refused });
      sendPage(context, response, { ...page, status: refused.status });
    }),
  );
  router.post(
    "/webhooks/:id/pause",
    guard(async (request, response, session) => {
      const id = idOf(request.params.id);
      await pauseByCustomer(context, session.accountId, id);
      response.redirect(303, addressAfter(`${here}/${id}`, "paused"));
    }),
  );
  router.post(
    "/webhooks/:id/enable",
    guard(async (request, response, session) => {
      const endpointId = idOf(request.params.id);
      const outcome = await enableEndpoint(context, { endpointId, accountId: session.accountId });
      // A plan without API access has none of the event types.
      if (outcome === "not_in_plan") requireApiAccess(await callerOfAccount(context, session.accountId));
      const problem = problemOfEnabling(outcome);
      if (problem !== null) throw problem;
      response.redirect(303, addressAfter(`${here}/${endpointId}`, "enabled"));
    }),
  );
  router.post(
    "/webhooks/:id/test",
    guard(async (request, response, session) => {
      requireApiAccess(await callerOfAccount(context, session.accountId));
      const queued = await queueTestDelivery(context, session.accountId, idOf(request.params.id));
      response.redirect(303, `${here}/${queued.endpoint_id}/deliveries/${queued.delivery_id}`);
    }),
  );
};

/** The endpoint or delivery number in an address. ProblemError not_found when it is not a number. */
export function idOf(text: unknown): number {
  if (/^[1-9]\d{0,14}$/.test(String(text))) return Number(text);
  throw noSuchEndpoint();
}

/** The account's endpoint with that id, its plan, and the event types of the plan. ProblemError not_found. */
export async function endpointOf(context: EntryContext, { accountId }: Session, id: number) {
  const plan = await callerOfAccount(context, accountId);
  const { data, available_event_types: availableTypes } = await readEndpoints(context, plan);
  const endpoint = data.find((each) => each.id === id);
  if (!endpoint) throw noSuchEndpoint();
  return { endpoint, plan, availableTypes };
}

/** The same with the endpoint's health, which is read from its deliveries: for the head of its pages. */
export async function endpointWithHealth(context: EntryContext, session: Session, id: number) {
  const [found, health] = await Promise.all([
    endpointOf(context, session, id),
    endpointHealth(context, session.accountId),
  ]);
  return { ...found, health: health.get(id) };
}

async function listPage(
  context: EntryContext,
  session: Session,
  parts: { top: Html | null; refused?: RefusedEndpoint },
) {
  const plan = await callerOfAccount(context, session.accountId);
  const [endpoints, health] = await Promise.all([
    readEndpoints(context, plan),
    endpointHealth(context, session.accountId),
  ]);
  const body = endpointsPage(context, session, { plan, endpoints, health, ...parts });
  return { title: "Webhooks", body, session, here: HERE };
}
