import { callerOfAccount } from "../../accounts/account-caller.ts";
import type { Session } from "../../accounts/sessions.ts";
import type { EventType } from "../../events/event-types.ts";
import type { Context } from "../../platform/context.ts";
import { html } from "../../platform/html.ts";
import { InvalidRequestError } from "../../platform/invalid-request.ts";
import { ProblemError } from "../../platform/problem.ts";
import { createEndpoint } from "../../webhooks/create.ts";
import { enableEndpoint } from "../../webhooks/enable.ts";
import { endpointHealth } from "../../webhooks/endpoint-health.ts";
import { noSuchEndpoint, readEndpoints } from "../../webhooks/endpoints.ts";
import { pauseByCustomer } from "../../webhooks/pause.ts";
import { rotateSecret } from "../../webhooks/rotate.ts";
import { queueTestDelivery } from "../../webhooks/test-delivery.ts";
import type { Routes } from "../dashboard.ts";
import { fieldOf, fieldsOf } from "../form-fields.ts";
import { placeOf, sendPage } from "../layout.ts";
import { problemOf } from "../problem-page.ts";
import { confirmRotating, endpointsPage, newSecret, type TypedEndpoint } from "./webhook-parts.ts";

const HERE = "/webhooks";

/** Webhook endpoints: which there are and how they do, making, pausing and enabling them, secrets, test deliveries. */
export const webhookRoutes: Routes = (router, context, guard) => {
  router.get(
    "/webhooks",
    guard(async (_request, response, session) => {
      sendPage(context, response, await listPage(context, session));
    }),
  );
  router.post(
    "/webhooks",
    guard(async (request, response, session) => {
      const typed: TypedEndpoint = {
        url: fieldOf(request, "url").trim(),
        description: fieldOf(request, "description"),
        eventTypes: fieldsOf(request, "event_types"),
      };
      try {
        const caller = await callerOfAccount(context, session.accountId);
        const created = await createEndpoint(context, caller, requireFitting(typed));
        const top = newSecret("Your new endpoint", created.secret ?? "", created.id);
        sendPage(context, response, { ...(await listPage(context, session, { top })), status: 201 });
      } catch (error) {
        if (!(error instanceof ProblemError || error instanceof InvalidRequestError)) throw error;
        const { status, detail } = problemOf(error);
        const top = html`<p class="note error" role="alert">${detail}</p>`;
        sendPage(context, response, { ...(await listPage(context, session, { top, typed })), status });
      }
    }),
  );
  router.post(
    "/webhooks/:id/pause",
    guard(async (request, response, session) => {
      await pauseByCustomer(context, session.accountId, idOf(request.params.id));
      response.redirect(303, placeOf(context, `${HERE}/${request.params.id}`));
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
      response.redirect(303, placeOf(context, `${HERE}/${endpointId}`));
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
      const { id, secret } = await rotateSecret(context, session.accountId, idOf(request.params.id));
      const body = html`<h1>Endpoint ${id}</h1>${newSecret("The new secret", secret, id)}
<p><a href="${placeOf(context, `${HERE}/${id}`)}">Back to the endpoint</a></p>`;
      sendPage(context, response, { title: "The new secret", body, session, here: HERE });
    }),
  );
  router.post(
    "/webhooks/:id/test",
    guard(async (request, response, session) => {
      const queued = await queueTestDelivery(context, session.accountId, idOf(request.params.id));
      response.redirect(
        303,
        placeOf(context, `${HERE}/${queued.endpoint_id}/deliveries/${queued.delivery_id}`),
      );
    }),
  );
};

/** The number in an address; what is none names no endpoint. */
export function idOf(text: unknown): number {
  if (/^[1-9]\d{0,14}$/.test(String(text))) return Number(text);
  throw noSuchEndpoint();
}

/** The account's endpoint of that id; ProblemError not_found. */
export async function endpointOf(context: Context, session: Session, id: number) {
  const { data } = await readEndpoints(context, await callerOfAccount(context, session.accountId));
  const endpoint = data.find((each) => each.id === id);
  if (!endpoint) throw noSuchEndpoint();
  return endpoint;
}

async function listPage(
  context: Context,
  session: Session,
  parts: { top?: ReturnType<typeof html>; typed?: TypedEndpoint } = {},
) {
  const caller = await callerOfAccount(context, session.accountId);
  const [endpoints, health] = await Promise.all([
    readEndpoints(context, caller),
    endpointHealth(context, session.accountId),
  ]);
  const body = endpointsPage(context, session, { endpoints, health, ...parts });
  return { title: "Webhooks", body, session, here: HERE };
}

/** What the contract's schema asks of the body; rooms check the rest. */
function requireFitting({ url, description, eventTypes }: TypedEndpoint) {
  const fault = (field: string, msg: string) => ({ loc: ["body", field], msg, type: "form" });
  const faults = [
    ...(url === "" || [...url].length > 2_000 ? [fault("address", "must have 1 to 2,000 characters")] : []),
    ...([...description].length > 120 ? [fault("note", "must have at most 120 characters")] : []),
    ...(eventTypes.length === 0 ? [fault("types", "must be at least one event type")] : []),
  ];
  if (faults.length > 0) throw new InvalidRequestError(faults);
  return { url, description, event_types: eventTypes as EventType[] };
}
