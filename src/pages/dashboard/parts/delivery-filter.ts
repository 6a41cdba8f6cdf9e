import type { Request } from "express";
import { EVENT_TYPES, eventTypeLabel } from "../../../events/event-types.ts";
import { type AskedDeliveries, DELIVERY_STATUSES } from "../../../webhooks/deliveries/delivery-history.ts";
import { choice, field } from "../../kit/field.ts";
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
  address: string,
  filter: DeliveryFilter,
): Html => html`<form method="get" action="${address}">
<div class="fields">
${choice({
  name: "status",
  label: "Status",
  value: filter.status,
  choices: [["", "any"], ...DELIVERY_STATUSES.map((each) => [each, each] as const)],
})}
${choice({
  name: "type",
  label: "Event type",
  value: filter.type,
  choices: [["", "any"], ...TYPES.map((each) => [each, shownType(each)] as const)],
})}
${field({ name: "queued_from", label: "Queued from (UTC)", type: "datetime-local", value: filter.queued_from })}
${field({ name: "queued_to", label: "Queued before (UTC)", type: "datetime-local", value: filter.queued_to })}
</div>
<p class="row actions"><button class="quiet">Show</button>
<a class="button quiet" href="${address}">Clear</a></p>
</form>`;

const shownType = (type: (typeof TYPES)[number]): string =>
  type === "test" ? "Test delivery" : eventTypeLabel(type);
