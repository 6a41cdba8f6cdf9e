import type { Request } from "express";
import { callerOfAccount, requireApiAccess } from "../../../accounts/keys/caller.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { deliveryDays } from "../../../webhooks/deliveries/delivery-days.ts";
import { type AskedDeliveries, listDeliveries } from "../../../webhooks/deliveries/delivery-history.ts";
import { noSuchDelivery, readDelivery } from "../../../webhooks/deliveries/read-delivery.ts";
import { resendDelivery } from "../../../webhooks/deliveries/resend.ts";
import { noSuchEndpoint } from "../../../webhooks/endpoints/endpoints.ts";
import { dashboardLink } from "../../frame/links.ts";
import { sendPage } from "../dashboard-page.ts";
import { addressAfter, doneToast, noteOf } from "../parts/after-action.ts";
import { askedBy, filterOf } from "../parts/delivery-filter.ts";
import { reloads } from "../parts/delivery-words.ts";
import { endpointWarnings } from "../parts/endpoint-warnings.ts";
import type { Routes } from "../signed-in.ts";
import { type DeliveriesPage, deliveryPage, endpointPage } from "./delivery-parts.ts";
import { endpointOf, endpointWithHealth, idOf, type NewSecret, secretPart } from "./webhooks.ts";

const HERE = "/webhooks";
const DELIVERIES_SHOWN = 100;

/** Routes the page of an endpoint, the page of a delivery, and sending a delivery again. */
export const deliveryRoutes: Routes = (pages, context) => {
  pages.get("/webhooks/:id", async (request, response, session) => {
    const head = await headOf(context, request, session, idOf(request.params.id));
    const filter = filterOf(request);
    const asked = askedBy(filter);
    const page = Array.isArray(asked)
      ? { mistakes: asked, deliveries: null }
      : { mistakes: [], deliveries: await deliveriesOf(context, session, head.endpoint.id, asked) };
    const body = endpointPage(context, session, { ...head, filter, ...page });
    const status = page.deliveries === null ? 400 : 200;
    sendPage(context, response, {
      title: `Endpoint ${head.endpoint.id}`,
      status,
      body,
      session,
      here: HERE,
    });
  });
  pages.get("/webhooks/:id/deliveries/:delivery", async (request, response, session) => {
    const delivery = await readDelivery(context, session.accountId, idOf(request.params.delivery));
    if (delivery === null || delivery.endpoint_id !== idOf(request.params.id)) throw noSuchDelivery();
    const { endpoint, plan } = await endpointOf(context, session, delivery.endpoint_id);
    const top = doneToast(request);
    const body = deliveryPage(context, session, { plan, endpoint, delivery, top });
    const title = `Delivery ${delivery.id}`;
    sendPage(context, response, { title, body, session, here: HERE, ...reloads(context, delivery) });
  });
  pages.post(
    "/webhooks/:id/deliveries/:delivery/resend",
    "send deliveries",
    async (request, response, session) => {
      const [id, deliveryId] = [idOf(request.params.id), idOf(request.params.delivery)];
      if ((await readDelivery(context, session.accountId, deliveryId)) === null) throw noSuchDelivery();
      requireApiAccess(await callerOfAccount(context, session.accountId));
      const outcome = await resendDelivery(context, session.accountId, deliveryId, id);
      if (outcome === "not_found") throw noSuchDelivery();
      if (outcome === "paused") throw isPaused();
      if (outcome === "unsubscribed") {
        throw new ProblemError(
          "not_found",
          "The endpoint no longer asks for what this delivery tells. Add the type to the endpoint, or let corrections or changes be sent, then send again.",
        );
      }
      if (outcome === "removed") {
        throw new ProblemError(
          "not_found",
          "The business of this delivery was removed on request, so nothing is sent.",
        );
      }
      if (outcome === "not_in_plan") {
        throw new ProblemError(
          "not_found",
          "Your plan does not include what this delivery tells any more, so nothing is sent.",
        );
      }
      const address = dashboardLink(context, `${HERE}/${id}/deliveries/${deliveryId}`);
      response.redirect(303, addressAfter(address, "resent"));
    },
  );
};

/** What the page of an endpoint shows besides its deliveries. */
async function headOf(context: EntryContext, request: Request, session: Session, id: number) {
  const [{ endpoint, health, plan, availableTypes }, days] = await Promise.all([
    endpointWithHealth(context, session, id),
    deliveryDays(context, session.accountId, id),
  ]);
  const note = await noteOf<NewSecret>(context, request);
  const { role } = session.person;
  const seen = { role, health, availableTypes, isOwnPage: true };
  const warnings = endpointWarnings(context, plan, endpoint, seen);
  // This page shows what notes would say.
  const urgent = warnings.filter(({ kind }) => kind !== "info");
  const top = doneToast(request) ?? secretPart(note);
  return { endpoint, plan, health, days, warnings: urgent, top };
}

async function deliveriesOf(
  context: EntryContext,
  { accountId }: Session,
  endpointId: number,
  asked: Partial<AskedDeliveries>,
): Promise<DeliveriesPage> {
  // One more than shown, to find out whether there are older ones.
  const limit = DELIVERIES_SHOWN + 1;
  const deliveries = await listDeliveries(context, { ...asked, endpointId, accountId, limit });
  if (deliveries === null) throw noSuchEndpoint();
  return { deliveries: deliveries.slice(0, DELIVERIES_SHOWN), hasOlder: deliveries.length === limit };
}

/** The problem when something should be sent to a paused endpoint. */
export const isPaused = (): ProblemError =>
  new ProblemError(
    "not_found",
    "The endpoint is paused. Enable it first, then send the missed deliveries again.",
  );
