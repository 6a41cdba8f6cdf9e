import { callerOfAccount } from "../../../accounts/keys/account-caller.ts";
import { requireApiAccess } from "../../../accounts/keys/api-access.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { queueTestDelivery } from "../../../webhooks/deliveries/test-delivery.ts";
import { createEndpoint } from "../../../webhooks/endpoints/create.ts";
import { enableEndpoint } from "../../../webhooks/endpoints/enable.ts";
import { endpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { noSuchEndpoint, readEndpoints } from "../../../webhooks/endpoints/endpoints.ts";
import { pauseByCustomer } from "../../../webhooks/endpoints/pause.ts";
import { rotateSecret } from "../../../webhooks/endpoints/rotate.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import type { Routes } from "../dashboard.ts";
import { sendPage } from "../layout.ts";
import { refusalOf, requireFitting, type TypedEndpoint, typedEndpoint } from "../parts/endpoint-form.ts";
import { noteOf, redirectWithNote } from "../parts/shown-once.ts";
import { confirmRotating, endpointsPage, type NewSecret, secretPart } from "./webhook-parts.ts";

const HERE = "/webhooks";

/** Routes the list of endpoints, and making, pausing and enabling them, rotating secrets, and test deliveries. */
export const webhookRoutes: Routes = (router, context, guard) => {
  router.get(
    "/webhooks",
    guard(async (request, response, session) => {
      const note = await noteOf<NewSecret>(context, request);
      const top = secretPart(note, "Your new endpoint");
      sendPage(context, response, await listPage(context, session, { top }));
    }),
  );
  router.post(
    "/webhooks",
    guard(async (request, response, session) => {
      const typed = typedEndpoint(request);
      try {
        const caller = await callerOfAccount(context, session.accountId);
        const { id, secret } = await createEndpoint(context, caller, requireFitting(typed));
        const note: NewSecret = { id, secret: secret ?? "" };
        await redirectWithNote(context, request, response, { address: dashboardLink(context, HERE), note });
      } catch (error) {
        const { status, detail } = refusalOf(error);
        const top = html`<p class="notice bad" role="alert">${detail}</p>`;
        sendPage(context, response, { ...(await listPage(context, session, { top, typed })), status });
      }
    }),
  );
  router.post(
    "/webhooks/:id/pause",
    guard(async (request, response, session) => {
      await pauseByCustomer(context, session.accountId, idOf(request.params.id));
      response.redirect(303, dashboardLink(context, `${HERE}/${request.params.id}`));
    }),
  );
  router.post(
    "/webhooks/:id/enable",
    guard(async (request, response, session) => {
      const endpointId = idOf(request.params.id);
      const outcome = await enableEndpoint(context, { endpointId, accountId: session.accountId });
      if (outcome === "not_found") throw noSuchEndpoint();
      if (outcome === "limit_reached") {
        throw new ProblemError(
          "endpoint_limit_reached",
          "Your account has 20 active endpoints. Pause one first.",
        );
      }
      if (outcome === "not_in_plan") throw await notInPlan(context, session);
      response.redirect(303, dashboardLink(context, `${HERE}/${endpointId}`));
    }),
  );
  router.get(
    "/webhooks/:id/rotate",
    guard(async (request, response, session) => {
      const endpoint = await endpointOf(context, session, idOf(request.params.id));
      const body = confirmRotating(context, session, endpoint);
      sendPage(context, response, { title: "Rotate the secret", body, session, here: HERE });
    }),
  );
  router.post(
    "/webhooks/:id/rotate",
    guard(async (request, response, session) => {
      requireApiAccess(await callerOfAccount(context, session.accountId));
      const { id, secret } = await rotateSecret(context, session.accountId, idOf(request.params.id));
      const note: NewSecret = { id, secret };
      await redirectWithNote(context, request, response, {
        address: dashboardLink(context, `${HERE}/${id}`),
        note,
      });
    }),
  );
  router.post(
    "/webhooks/:id/test",
    guard(async (request, response, session) => {
      requireApiAccess(await callerOfAccount(context, session.accountId));
      const queued = await queueTestDelivery(context, session.accountId, idOf(request.params.id));
      response.redirect(
        303,
        dashboardLink(context, `${HERE}/${queued.endpoint_id}/deliveries/${queued.delivery_id}`),
      );
    }),
  );
};

/** The endpoint or delivery number in an address. ProblemError not_found when it is not a number. */
export function idOf(text: unknown): number {
  if (/^[1-9]\d{0,14}$/.test(String(text))) return Number(text);
  throw noSuchEndpoint();
}

/** The account's endpoint with that id. ProblemError not_found when there is none. */
export async function endpointOf(context: EntryContext, session: Session, id: number) {
  const { data } = await readEndpoints(context, await callerOfAccount(context, session.accountId));
  const endpoint = data.find((each) => each.id === id);
  if (!endpoint) throw noSuchEndpoint();
  return endpoint;
}

async function listPage(
  context: EntryContext,
  session: Session,
  parts: { top: Html | null; typed?: TypedEndpoint },
) {
  const plan = await callerOfAccount(context, session.accountId);
  const [endpoints, health] = await Promise.all([
    readEndpoints(context, plan),
    endpointHealth(context, session.accountId),
  ]);
  const body = endpointsPage(context, session, { plan, endpoints, health, ...parts });
  return { title: "Webhooks", body, session, here: HERE };
}

async function notInPlan(context: EntryContext, { accountId }: Session): Promise<ProblemError> {
  requireApiAccess(await callerOfAccount(context, accountId));
  return new ProblemError(
    "event_type_not_in_plan",
    "Your plan includes none of the endpoint's event types. Edit the endpoint and choose other types, or change the plan.",
  );
}
