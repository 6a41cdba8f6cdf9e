import { mayDo } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { countOf, shownCount } from "../../../platform/plural.ts";
import type { DeliveryDay } from "../../../webhooks/deliveries/delivery-days.ts";
import type { DeliveryShown } from "../../../webhooks/deliveries/delivery-history.ts";
import type { DeliveryDetail } from "../../../webhooks/deliveries/read-delivery.ts";
import type { EndpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { badge } from "../../kit/badge.ts";
import { cards } from "../../kit/card.ts";
import { codeBlock } from "../../kit/code-block.ts";
import type { Mistake } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { backTo, pager } from "../../kit/navigation.ts";
import { emptyState, noneOlder, notice } from "../../kit/notice.ts";
import { facts, table } from "../../kit/table.ts";
import { shownDue, shownTime } from "../../kit/time.ts";
import { breakableAddress } from "../../kit/words.ts";
import { formToken } from "../dashboard-page.ts";
import { endpointCharts } from "../parts/charts/endpoint-charts.ts";
import { type AnyBody, sentenceOf } from "../parts/delivered-sentence.ts";
import { type DeliveryFilter, filterForm } from "../parts/delivery-filter.ts";
import { deliveryOutcome, shownOutcome, shownRetries, shownStatus } from "../parts/delivery-words.ts";
import { endpointLink, lastDelivered } from "../parts/endpoint-words.ts";
import { eventBadge } from "../parts/event-list.ts";
import { shownWarning, type Warning } from "../parts/warnings.ts";
import type { PlanShown } from "../plan-note.ts";
import { type Endpoint, type EndpointHead, endpointHead } from "./endpoint-parts.ts";

/** The deliveries of one page, and whether there are older ones. */
export interface DeliveriesPage {
  deliveries: readonly DeliveryShown[];
  hasOlder: boolean;
}

/** The page of an endpoint: its state, its actions, its newest deliveries. */
export const endpointPage = (
  context: EntryContext,
  session: Session,
  page: EndpointHead & {
    warnings: readonly Warning[];
    days: readonly DeliveryDay[];
    filter: DeliveryFilter;
    mistakes: readonly Mistake[];
    /** Null when something is wrong with the filter. */
    deliveries: DeliveriesPage | null;
  },
): Html => {
  const address = endpointLink(context, page.endpoint);
  return html`${endpointHead(context, session, page, "deliveries")}
${page.warnings.map(shownWarning)}
${healthCards(page.health)}
${endpointCharts(page.days)}
<h2>Deliveries</h2>
${filterForm(address, page.filter, page.mistakes)}
${page.deliveries && deliveryList(context, address, page.filter, page.deliveries)}`;
};

const healthCards = (health: EndpointHealth | undefined): Html => {
  const hint = "in seven days, tests not counted";
  return cards([
    { title: "Delivered", value: shownCount(health?.delivered ?? 0), hint },
    {
      title: "Failed",
      value: shownCount(health?.failed ?? 0),
      hint: health?.failedTests
        ? `in seven days, besides ${countOf(health.failedTests, "failed test")}`
        : hint,
    },
    { title: "Waiting", value: shownCount(health?.waiting ?? 0), hint: "queued or in flight" },
    { title: "Last delivered", value: lastDelivered(health) },
  ]);
};

function deliveryList(
  context: EntryContext,
  address: string,
  filter: DeliveryFilter,
  { deliveries, hasOlder }: DeliveriesPage,
): Html {
  const hrefOf = (before: string) => `${address}?${new URLSearchParams({ ...filter, before }).toString()}`;
  const newest = { href: hrefOf(""), name: "Newest deliveries" };
  if (deliveries.length === 0) {
    if (filter.before !== "") return noneOlder("deliveries", newest);
    return Object.values(filter).some((typed) => typed !== "")
      ? emptyState({
          title: "No delivery matches",
          text: "This endpoint has no delivery of this status, type and time.",
          action: html`<a class="button quiet" href="${address}">Show all deliveries</a>`,
        })
      : emptyState({
          title: "No delivery yet",
          text: "Send a test delivery to see that your receiver answers. Events appear here when they come.",
        });
  }
  return html`${deliveryTable(context, address, deliveries)}
${pager({
  newest: filter.before !== "" && newest,
  older: hasOlder && { href: hrefOf(String(deliveries.at(-1)?.id)), name: "Older deliveries" },
})}`;
}

const deliveryTable = (context: EntryContext, address: string, deliveries: readonly DeliveryShown[]): Html =>
  table({
    label: "Deliveries",
    caption: `${deliveries.length} shown, the newest first.`,
    rowsAreCards: true,
    rows: deliveries,
    columns: [
      { head: "Delivery", cell: ({ id }) => html`<a href="${address}/deliveries/${id}">${id}</a>` },
      { head: "Queued", cell: (delivery) => shownTime(delivery.created_at) },
      {
        head: "Event",
        cell: (delivery) => html`${typeBadge(delivery)}<br><code>${sentId(delivery)}</code>`,
      },
      { head: "Status", isStatus: true, cell: (delivery) => statusCell(context, delivery) },
      { head: "Attempts", cell: ({ attempts }) => attempts.length, isNumber: true },
      { head: "Last answer", cell: ({ attempts }) => lastOutcome(attempts) },
    ],
  });

const statusCell = (context: EntryContext, delivery: DeliveryShown): Html =>
  html`${shownStatus(delivery)}${delivery.due_at !== null && html`<br><span class="hint">Next attempt ${shownDue(context, delivery.due_at)}</span>`}`;

const typeBadge = ({ is_test, correction_id, event_type }: DeliveryShown): Html => {
  if (is_test) return badge("info", "Test delivery");
  if (event_type === "carrier_change") return badge("plain", "Change of a carrier");
  return html`${correction_id !== null && html`${badge("warn", "Correction")} `}${eventBadge(event_type)}`;
};

/** The id that the receiver sees: of the change or correction, else of the event. */
const sentId = ({
  change_id,
  correction_id,
  event_id,
}: Pick<DeliveryShown, "change_id" | "correction_id" | "event_id">): string =>
  change_id ?? correction_id ?? event_id ?? "";

function lastOutcome(attempts: DeliveryShown["attempts"]): Html | null {
  const last = attempts.at(-1);
  return last === undefined ? null : shownOutcome(last);
}

/** The page of a delivery: its attempts and the exact request. */
export const deliveryPage = (
  context: EntryContext,
  session: Session,
  {
    plan,
    endpoint,
    delivery,
    top,
  }: { plan: PlanShown; endpoint: Endpoint; delivery: DeliveryDetail; top: Html | null },
): Html => {
  const address = endpointLink(context, endpoint);
  const here = `${address}/deliveries/${delivery.id}`;
  const body = delivery.body === null ? null : (JSON.parse(delivery.body) as AnyBody);
  return html`${backTo(address, `Endpoint ${endpoint.id}`)}<h1>Delivery ${delivery.id}</h1>
${top}
${deliveryOutcome(context, delivery, here)}
${body !== null && !delivery.is_test && html`<p>${sentenceOf(body)}</p>`}
${facts([
  ["Status", shownStatus(delivery)],
  [
    delivery.change_id === null ? "Event" : "Change",
    html`${typeBadge(delivery)} <code>${delivery.change_id ?? delivery.event_id}</code>`,
  ],
  delivery.correction_id !== null && ["Correction", html`<code>${delivery.correction_id}</code>`],
  ["Endpoint", breakableAddress(endpoint.url)],
  ["Queued", shownTime(delivery.created_at)],
  delivery.due_at !== null && ["Next attempt", shownDue(context, delivery.due_at)],
])}
${
  plan.hasApiAccess &&
  mayDo(session.person.role, "send deliveries") &&
  !delivery.is_test &&
  html`<form method="post" action="${here}/resend">
${formToken(session)}
<button>Send it again</button>
</form>`
}
<h2>Attempts</h2>
<p>${delivery.is_test ? "A test delivery is sent once, without retries." : shownRetries(context.config.webhookRetrySeconds)}</p>
${delivery.attempts.length === 0 ? html`<p>None yet.</p>` : attemptTable(delivery)}
<h2>Request</h2>
${body === null ? notice("info", "It cannot be shown: its business was removed on request, the plan does not include it any more, or the registry was replaced.") : requestOf(endpoint, delivery, body)}`;
};

const attemptTable = ({ attempts }: DeliveryDetail): Html =>
  table({
    label: "Attempts",
    rowsAreCards: true,
    rows: attempts,
    columns: [
      { head: "Attempt", cell: ({ attempt }) => attempt },
      { head: "Answer", cell: shownOutcome, isLong: true },
      { head: "Started", cell: ({ started_at }) => shownTime(started_at, "second") },
      { head: "Took", cell: ({ duration_ms }) => `${shownCount(duration_ms)} ms`, isNumber: true },
      {
        head: "Service-Signature",
        isWide: true,
        cell: ({ signature }) => html`<code class="breaks">${signature}</code>`,
      },
    ],
  });

/** The request with its body indented for reading, and below it the bytes that were sent and signed. */
function requestOf(endpoint: Endpoint, delivery: DeliveryDetail, body: AnyBody): Html {
  const last = delivery.attempts.at(-1);
  const head = [
    `POST ${endpoint.url}`,
    "Content-Type: application/json",
    `Service-Event-Id: ${sentId(delivery)}`,
    `Service-Delivery-Id: ${delivery.id}`,
    ...(last ? signatureLines(delivery, last) : []),
  ];
  return html`${
    last &&
    last.standard_signature === null &&
    html`<p class="hint">The header webhook-signature is not shown: the secret or content of the endpoint, or the event, was changed since
the attempt.</p>
`
  }${codeBlock({ id: "head", language: "text", code: head.join("\n"), copy: "Copy the headers" })}
${codeBlock({ id: "body-laid-out", language: "json", code: JSON.stringify(body, null, 2), copy: "Copy the body" })}
<details>
<summary>The exact body, as it is sent and signed</summary>
${codeBlock({ id: "body", language: "text", code: delivery.body ?? "", copy: "Copy the exact body" })}
</details>`;
}

const signatureLines = (
  delivery: DeliveryDetail,
  { attempt, signature, standard_signature }: DeliveryDetail["attempts"][number],
): string[] => [
  `Service-Delivery-Attempt: ${attempt}`,
  `Service-Signature: ${signature}`,
  ...(standard_signature === null
    ? []
    : [
        `webhook-id: ${sentId(delivery)}`,
        `webhook-timestamp: ${/^t=(\d+)/.exec(signature)?.[1]}`,
        `webhook-signature: ${standard_signature}`,
      ]),
];
