import type { Request } from "express";
import { EVENT_TYPES, eventTypeLabel } from "../../../events/event-types.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { type AskedDeliveries, DELIVERY_STATUSES } from "../../../webhooks/deliveries/delivery-history.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import { instantOf, queryOf } from "./form-fields.ts";

/** The typed values of the form above an endpoint's deliveries. */
export interface DeliveryFilter {
  status: string;
  /** An event type, or `test`. */
  type: string;
  /** Times in UTC. */
  queued_from: string;
  queued_to: string;
  /** The number of a delivery; the page shows older ones. */
  before: string;
}

/** The filter in the page's address. */
export function filterOf(request: Request): DeliveryFilter {
  const sent = queryOf(request);
  const of = (name: keyof DeliveryFilter) => sent.get(name)?.trim() ?? "";
  return {
    status: of("status"),
    type: of("type"),
    queued_from: of("queued_from"),
    queued_to: of("queued_to"),
    before: of("before"),
  };
}

/** The filter as `listDeliveries` takes it, or a sentence about what is wrong with it. */
export function askedBy(
  filter: DeliveryFilter,
): Pick<AskedDeliveries, "status" | "type" | "from" | "to" | "before"> | string {
  const status = DELIVERY_STATUSES.find((known) => known === filter.status);
  if (filter.status !== "" && status === undefined) {
    return `There is no such status; choose one of ${DELIVERY_STATUSES.join(", ")}.`;
  }
  const type = TYPES.find((known) => known === filter.type);
  if (filter.type !== "" && type === undefined) return "There is no such event type.";
  const [from, to] = [instantOf(filter.queued_from), instantOf(filter.queued_to)];
  if ((filter.queued_from !== "" && from === null) || (filter.queued_to !== "" && to === null)) {
    return "Give times in UTC like 2026-11-21T13:00.";
  }
  if (from !== null && to !== null && from >= to) return "The first time must be before the second.";
  if (!/^\d{0,15}$/.test(filter.before)) return "before must be the number of a delivery.";
  return {
    ...(status && { status }),
    ...(type && { type }),
    ...(from && { from }),
    ...(to && { to }),
    ...(filter.before !== "" && { before: Number(filter.before) }),
  };
}

const TYPES = [...EVENT_TYPES, "test" as const];

/** The form above an endpoint's deliveries. */
export const filterForm = (
  context: EntryContext,
  endpoint: components["schemas"]["WebhookOut"],
  filter: DeliveryFilter,
): Html => html`<form method="get" action="${dashboardLink(context, `/webhooks/${endpoint.id}`)}">
<div class="fields">
<div class="field"><label for="status">Status</label>
<select id="status" name="status"><option value="">any</option>${DELIVERY_STATUSES.map((each) => html`<option${each === filter.status && html` selected`}>${each}</option>`)}</select></div>
<div class="field"><label for="type">Event type</label>
<select id="type" name="type"><option value="">any</option>${TYPES.map((each) => html`<option value="${each}"${each === filter.type && html` selected`}>${each === "test" ? "Test delivery" : eventTypeLabel(each)}</option>`)}</select></div>
<div class="field"><label for="queued_from">Queued from (UTC)</label>
<input id="queued_from" name="queued_from" type="datetime-local" value="${filter.queued_from}"></div>
<div class="field"><label for="queued_to">Queued before (UTC)</label>
<input id="queued_to" name="queued_to" type="datetime-local" value="${filter.queued_to}"></div>
</div>
<p class="row"><button class="quiet">Show</button>
<a class="button quiet" href="${dashboardLink(context, `/webhooks/${endpoint.id}`)}">Clear</a></p>
</form>`;
