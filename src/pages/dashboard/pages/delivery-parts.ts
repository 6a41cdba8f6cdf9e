import type { Session } from "../../../accounts/sessions/sessions.ts";
import { eventTypeLabel } from "../../../events/event-types.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import type { DeliveryShown } from "../../../webhooks/deliveries/delivery-history.ts";
import type { DeliveryDetail } from "../../../webhooks/deliveries/read-delivery.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownCount } from "../../kit/number.ts";
import { shownTime } from "../../kit/time.ts";
import { formToken } from "../layout.ts";
import { type DeliveryFilter, filterForm } from "../parts/delivery-filter.ts";
import { shownOutcome, shownRetries, shownStatus } from "../parts/delivery-words.ts";
import { noApiAccess, type PlanShown } from "../parts/plan-note.ts";
import { shownWarning, type Warning } from "../parts/warnings.ts";
import { replayForm } from "./replay-parts.ts";
import { placeOfEndpoint, shownState } from "./webhook-parts.ts";

type Endpoint = components["schemas"]["WebhookOut"];

const changeButton = (
  context: EntryContext,
  session: Session,
  endpoint: Endpoint,
  change: string,
  name: string,
): Html => html`<form method="post" action="${placeOfEndpoint(context, endpoint)}/${change}">
${formToken(session)}
<button class="quiet">${name}</button>
</form>
`;

/** The page of an endpoint: its state, its actions, its newest deliveries. */
export const endpointPage = (
  context: EntryContext,
  session: Session,
  page: {
    endpoint: Endpoint;
    plan: PlanShown;
    /** Shown above everything else. */
    top: Html | null;
    warnings: readonly Warning[];
    filter: DeliveryFilter;
    wrong?: string;
    deliveries: DeliveriesPage;
  },
): Html => {
  const { endpoint, plan, filter, wrong, deliveries } = page;
  const change = (name: string, label: string) => changeButton(context, session, endpoint, name, label);
  return html`<p><a href="${dashboardLink(context, "/webhooks")}">All endpoints</a></p>
<h1>Endpoint ${endpoint.id}</h1>
${page.top}
${noApiAccess(context, plan)}
${page.warnings.map(shownWarning)}
<dl class="facts">
<div><dt>Address</dt><dd>${endpoint.url}</dd></div>
<div><dt>State</dt><dd>${shownState(endpoint)}</dd></div>
<div><dt>Event types</dt><dd>${endpoint.event_types.map(eventTypeLabel).join(", ")}</dd></div>
<div><dt>Secret</dt><dd><code>${endpoint.secret_prefix}…</code></dd></div>
<div><dt>Registered</dt><dd>${shownTime(endpoint.created_at)}</dd></div>
${endpoint.description && html`<div><dt>Note</dt><dd>${endpoint.description}</dd></div>`}
</dl>
<div class="row actions">
${plan.hasApiAccess && change("test", "Send a test delivery")}${endpoint.active && change("pause", "Pause")}${plan.hasApiAccess && !endpoint.active && change("enable", "Enable again")}
${
  plan.hasApiAccess &&
  html`<a class="button quiet" href="${placeOfEndpoint(context, endpoint)}/edit">Edit</a>
<a class="button quiet" href="${placeOfEndpoint(context, endpoint)}/rotate">Rotate the secret</a>`
}
<a class="button danger" href="${placeOfEndpoint(context, endpoint)}/delete">Delete</a>
</div>
<h2>Deliveries</h2>
${filterForm(context, endpoint, filter)}
${wrong ? html`<p class="notice bad" role="alert">${wrong}</p>` : deliveryList(context, endpoint, filter, deliveries)}
${plan.hasApiAccess && replayPart(context, endpoint)}`;
};

const replayPart = (context: EntryContext, endpoint: Endpoint): Html => html`<h2>Replay a range</h2>
<p>Sends missed events: those that came while the endpoint was paused, and deliveries that were cancelled or failed.</p>
${replayForm(context, endpoint, { from: "", to: "", delivered: false })}`;

/** The deliveries of one page, and whether there are older ones. */
export interface DeliveriesPage {
  deliveries: readonly DeliveryShown[];
  hasOlder: boolean;
}

function deliveryList(
  context: EntryContext,
  endpoint: Endpoint,
  filter: DeliveryFilter,
  { deliveries, hasOlder }: DeliveriesPage,
): Html {
  if (deliveries.length === 0) {
    const isFiltered = Object.values(filter).some((typed) => typed !== "");
    return html`<p>${isFiltered ? "No delivery matches." : "None yet."}</p>`;
  }
  const older = new URLSearchParams({ ...filter, before: String(deliveries.at(-1)?.id) });
  return html`${deliveryTable(context, endpoint, deliveries)}
${hasOlder && html`<p><a class="button quiet" href="${placeOfEndpoint(context, endpoint)}?${older.toString()}">Older deliveries</a></p>`}`;
}

const deliveryTable = (
  context: EntryContext,
  endpoint: Endpoint,
  deliveries: readonly DeliveryShown[],
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="Deliveries">
<table>
<caption>${deliveries.length} shown, the newest first. Times are UTC.</caption>
<thead><tr><th scope="col">Delivery</th><th scope="col">Queued</th><th scope="col">Event</th><th scope="col">Status</th><th scope="col" class="number">Attempts</th><th scope="col">Last answer</th><th scope="col">Next attempt</th></tr></thead>
<tbody>
${deliveries.map((delivery) => {
  const last = delivery.attempts.at(-1);
  return html`<tr><td><a href="${placeOfEndpoint(context, endpoint)}/deliveries/${delivery.id}">${delivery.id}</a></td>
<td>${shownTime(delivery.created_at)}</td><td>${delivery.is_test ? "Test delivery" : eventTypeLabel(delivery.event_type)}<br><code>${delivery.event_id}</code></td>
<td>${shownStatus(delivery)}</td><td class="number">${delivery.attempts.length}</td><td>${last ? shownOutcome(last) : "–"}</td><td>${shownTime(delivery.due_at)}</td></tr>
`;
})}</tbody>
</table>
</div>`;

/** The page of a delivery: its attempts and the exact request. */
export const deliveryPage = (
  context: EntryContext,
  session: Session,
  { plan, endpoint, delivery }: { plan: PlanShown; endpoint: Endpoint; delivery: DeliveryDetail },
): Html => html`<p><a href="${placeOfEndpoint(context, endpoint)}">Endpoint ${endpoint.id}</a></p>
<h1>Delivery ${delivery.id}</h1>
<dl class="facts">
<div><dt>Event</dt><dd>${delivery.is_test ? "Test delivery" : eventTypeLabel(delivery.event_type)} <code>${delivery.event_id}</code></dd></div>
<div><dt>Status</dt><dd>${shownStatus(delivery)}</dd></div>
<div><dt>Queued</dt><dd>${shownTime(delivery.created_at)}</dd></div>
${delivery.due_at && html`<div><dt>Next attempt</dt><dd>${shownTime(delivery.due_at)}</dd></div>`}
</dl>
<h2>Attempts</h2>
<p>${delivery.is_test ? "A test delivery is sent once, without retries." : shownRetries(context.config.webhookRetrySeconds)}</p>
${delivery.attempts.length === 0 ? html`<p>None yet. <a href="">Look again</a></p>` : attemptTable(delivery)}
<h2>Request</h2>
${delivery.body === null ? html`<p>The event cannot be shown: its business was removed on request, or the registry was replaced.</p>` : requestOf(endpoint, delivery)}
${
  plan.hasApiAccess &&
  !delivery.is_test &&
  delivery.status !== "sending" &&
  html`<form method="post" action="${placeOfEndpoint(context, endpoint)}/deliveries/${delivery.id}/resend">
${formToken(session)}
<button>Send it again</button>
</form>`
}`;

const attemptTable = ({
  attempts,
}: DeliveryDetail): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="Attempts">
<table>
<thead><tr><th scope="col" class="number">Attempt</th><th scope="col">Started (UTC)</th><th scope="col" class="number">Took</th><th scope="col">Answer</th><th scope="col">Service-Signature</th></tr></thead>
<tbody>
${attempts.map(
  (
    tried,
  ) => html`<tr><td class="number">${tried.attempt}</td><td>${shownTime(tried.started_at)}</td><td class="number">${shownCount(tried.duration_ms)} ms</td>
<td class="${tried.reason === null ? "good" : "bad"}">${shownOutcome(tried)}</td><td><code>${tried.signature}</code></td></tr>
`,
)}</tbody>
</table>
</div>`;

/** The request with its body indented for reading, and below it the bytes that were sent and signed. */
const requestOf = (endpoint: Endpoint, { body, attempts, event_id, id }: DeliveryDetail): Html => {
  const last = attempts.at(-1);
  const laidOut = JSON.stringify(JSON.parse(body ?? "null"), null, 2);
  return html`<pre tabindex="0"><code>POST ${endpoint.url}
Content-Type: application/json
Service-Event-Id: ${event_id}
Service-Delivery-Id: ${id}${
    last &&
    html`
Service-Delivery-Attempt: ${last.attempt}
Service-Signature: ${last.signature}`
  }

<span id="body-laid-out">${laidOut}</span></code></pre>
<details>
<summary>The exact body, as it is sent and signed</summary>
<pre tabindex="0"><code id="body">${body}</code></pre>
<p><button type="button" class="quiet" data-copy="body">Copy the exact body</button></p>
</details>`;
};
