import type { Request } from "express";
import { EVENT_TYPES, eventTypeLabel } from "../../../events/event-types.ts";
import { type AskedDeliveries, DELIVERY_STATUSES } from "../../../webhooks/deliveries/delivery-history.ts";
import { choice, field, type Mistake, mistakeList, wrongIn } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { instantOf, NOT_A_TIME, NOT_AFTER, NOT_IN_LIST, queryValues } from "./form-fields.ts";

/** The typed values of the form above an endpoint's deliveries. */
export interface DeliveryFilter {
  status: string;
  /** An event type, `test`, `correction` or `carrier_change`. */
  type: string;
  /** Times in UTC. */
  queued_from: string;
  queued_to: string;
  /** The number of a delivery; the page shows older ones. */
  before: string;
}

/** The filter in the page's address. */
export const filterOf = (request: Request): DeliveryFilter =>
  queryValues(request, "status", "type", "queued_from", "queued_to", "before");

/** The filter as `listDeliveries` takes it, or what is wrong with it. */
export function askedBy(
  filter: DeliveryFilter,
): Pick<AskedDeliveries, "status" | "type" | "from" | "to" | "before"> | Mistake[] {
  const status = DELIVERY_STATUSES.find((known) => known === filter.status);
  const type = TYPES.find((known) => known === filter.type);
  const [from, to] = [instantOf(filter.queued_from), instantOf(filter.queued_to)];
  const mistakes = [
    filter.status !== "" && status === undefined && wrong("status", NOT_IN_LIST),
    filter.type !== "" && type === undefined && wrong("type", NOT_IN_LIST),
    filter.queued_from !== "" && from === null && wrong("queued_from", NOT_A_TIME),
    filter.queued_to !== "" && to === null && wrong("queued_to", NOT_A_TIME),
    from !== null && to !== null && from >= to && wrong("queued_to", NOT_AFTER),
  ].filter((each) => each !== false);
  if (mistakes.length > 0) return mistakes;
  return {
    ...(status && { status }),
    ...(type && { type }),
    ...(from && { from }),
    ...(to && { to }),
    ...(/^\d{1,15}$/.test(filter.before) && { before: Number(filter.before) }),
  };
}

const LABELS = {
  status: "Status",
  type: "Event type",
  queued_from: "Queued from (UTC)",
  queued_to: "Queued before (UTC)",
};

const wrong = (name: keyof typeof LABELS, message: string): Mistake => ({
  name,
  label: LABELS[name],
  message,
});

const OTHERS = {
  test: "Test delivery",
  correction: "Correction",
  carrier_change: "Change of a carrier",
} as const;
const TYPES = [...EVENT_TYPES, ...(["test", "correction", "carrier_change"] as const)];

/** The form above an endpoint's deliveries. */
export function filterForm(address: string, filter: DeliveryFilter, mistakes: readonly Mistake[]): Html {
  const about = (name: keyof typeof LABELS) => ({
    name,
    label: LABELS[name],
    value: filter[name],
    ...wrongIn(mistakes, name),
  });
  return html`${mistakeList("No deliveries are shown.", mistakes)}
<form method="get" action="${address}">
<div class="fields">
${choice({ ...about("status"), choices: [["", "any"], ...DELIVERY_STATUSES.map((each) => [each, each] as const)] })}
${choice({ ...about("type"), choices: [["", "any"], ...TYPES.map((each) => [each, shownType(each)] as const)] })}
${field({ ...about("queued_from"), type: "datetime-local" })}
${field({ ...about("queued_to"), type: "datetime-local" })}
</div>
<p class="row actions"><button class="quiet">Show</button>
<a class="button quiet" href="${address}">Clear</a></p>
</form>`;
}

const shownType = (type: (typeof TYPES)[number]): string =>
  type === "test" || type === "correction" || type === "carrier_change" ? OTHERS[type] : eventTypeLabel(type);
