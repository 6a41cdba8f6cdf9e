import type { Session } from "../../accounts/sessions.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/problem.ts";
import { DELIVERY_STATUSES, type DeliveryStatus, listDeliveries } from "../../webhooks/delivery-history.ts";
import { noSuchEndpoint } from "../../webhooks/endpoints.ts";
import { readDelivery } from "../../webhooks/read-delivery.ts";
import { countReplay, replay } from "../../webhooks/replay.ts";
import type { AskedReplay } from "../../webhooks/replay-range.ts";
import { resendDelivery } from "../../webhooks/resend.ts";
import type { Routes } from "../dashboard.ts";
import { fieldOf, queryOf } from "../form-fields.ts";
import { placeOf, sendPage } from "../layout.ts";
import { deliveryPage, endpointPage, replayPage, type TypedRange } from "./delivery-parts.ts";
import { endpointOf, idOf } from "./webhooks.ts";

const HERE = "/webhooks";
const DELIVERIES_SHOWN = 100;

/** One endpoint with its deliveries, one delivery with what was sent, sending it again, replaying a range. */
export const deliveryRoutes: Routes = (router, context, guard) => {
  router.get(
    "/webhooks/:id",
    guard(async (request, response, session) => {
      const endpoint = await endpointOf(context, session, idOf(request.params.id));
      const status = DELIVERY_STATUSES.find((known) => known === queryOf(request).get("status"));
      const deliveries = await deliveriesOf(context, session, endpoint.id, status);
      const body = endpointPage(context, session, { endpoint, deliveries, status });
      sendPage(context, response, { title: `Endpoint ${endpoint.id}`, body, session, here: HERE });
    }),
  );
  router.get(
    "/webhooks/:id/deliveries/:delivery",
    guard(async (request, response, session) => {
      const delivery = await readDelivery(context, session.accountId, idOf(request.params.delivery));
      if (delivery === null || delivery.endpoint_id !== idOf(request.params.id)) throw noSuchDelivery();
      const endpoint = await endpointOf(context, session, delivery.endpoint_id);
      const body = deliveryPage(context, session, endpoint, delivery);
      sendPage(context, response, { title: `Delivery ${delivery.id}`, body, session, here: HERE });
    }),
  );
  router.post(
    "/webhooks/:id/deliveries/:delivery/resend",
    guard(async (request, response, session) => {
      const [id, deliveryId] = [idOf(request.params.id), idOf(request.params.delivery)];
      const outcome = await resendDelivery(context, session.accountId, deliveryId);
      if (outcome === "not_found") throw noSuchDelivery();
      if (outcome === "paused") throw isPaused();
      if (outcome === "removed") {
        throw new ProblemError(
          "not_found",
          "The business of this event was removed on request: nothing is sent.",
        );
      }
      response.redirect(303, placeOf(context, `${HERE}/${id}/deliveries/${deliveryId}`));
    }),
  );
  router.post(
    "/webhooks/:id/replay",
    guard(async (request, response, session) => {
      const endpoint = await endpointOf(context, session, idOf(request.params.id));
      const typed: TypedRange = {
        from: fieldOf(request, "from"),
        to: fieldOf(request, "to"),
        delivered: fieldOf(request, "delivered") === "true",
      };
      const send = (page: Parameters<typeof replayPage>[3], status = 200) => {
        const body = replayPage(context, session, endpoint, page);
        sendPage(context, response, { title: "Replay", status, body, session, here: HERE });
      };
      const [from, to] = [instantOf(typed.from), instantOf(typed.to)];
      if (from === null || to === null || from >= to) {
        return send({ typed, wrong: "Give two times of UTC, the first before the second." }, 400);
      }
      const asked: AskedReplay = {
        ...{ endpointId: endpoint.id, accountId: session.accountId, from, to },
        includesDelivered: typed.delivered,
      };
      if (fieldOf(request, "confirmed") !== "true") {
        const count = await countReplay(context, asked);
        if (count === "not_found") throw noSuchEndpoint();
        if (count === "paused") throw isPaused();
        return send({ typed, count });
      }
      const done = await replay(context, { ...asked, ...startedAt(fieldOf(request, "started_at")) });
      if (done === "not_found") throw noSuchEndpoint();
      if (done === "paused") throw isPaused();
      send({ typed, queued: done.queued });
    }),
  );
};

async function deliveriesOf(
  context: Context,
  session: Session,
  endpointId: number,
  status: DeliveryStatus | undefined,
) {
  const { accountId } = session;
  const asked = { endpointId, accountId, limit: DELIVERIES_SHOWN, ...(status && { status }) };
  const deliveries = await listDeliveries(context, asked);
  if (deliveries === null) throw noSuchEndpoint();
  return deliveries;
}

const noSuchDelivery = (): ProblemError =>
  new ProblemError("not_found", "Your account has no such delivery that can be shown or sent again.");

const isPaused = (): ProblemError =>
  new ProblemError("not_found", "The endpoint is paused. Enable it first, then send again what it missed.");

/** A time as a form's field gives it, in UTC; null for what is none. */
function instantOf(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null;
  const instant = new Date(`${text}Z`);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

// A replay that is confirmed twice goes on where it was, and sends nothing twice.
function startedAt(text: string): { startedAt?: Date } {
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? {} : { startedAt: instant };
}
