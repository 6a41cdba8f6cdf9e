import type { Session } from "../../accounts/sessions.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { type Html, html } from "../../platform/html.ts";
import type { EndpointHealth } from "../../webhooks/endpoint-health.ts";
import { EVENT_TYPE_NAMES } from "../event-type-names.ts";
import { formToken, placeOf } from "../layout.ts";
import { shownCount, shownTime } from "../shown-values.ts";

type Endpoint = components["schemas"]["WebhookOut"];

/** What somebody typed into the form of a new endpoint. */
export interface TypedEndpoint {
  url: string;
  description: string;
  eventTypes: readonly string[];
}

/** Where the page of an endpoint is. */
export const placeOfEndpoint = (context: Context, { id }: Pick<Endpoint, "id">): string =>
  placeOf(context, `/webhooks/${id}`);

const DISABLED_REASONS: Record<string, string> = {
  paused_by_customer: "paused by you",
  too_many_failures: "paused after 20 failed deliveries in a row",
  plan_changed: "paused, as the plan includes none of its event types",
};

/** How an endpoint stands, in people's words. */
export const shownState = ({ active, disabled_reason, failure_streak = 0 }: Endpoint): Html => {
  if (!active) return html`<span class="bad">${DISABLED_REASONS[disabled_reason ?? ""] ?? "paused"}</span>`;
  if (failure_streak > 0) return html`<span class="warn">${failure_streak} failed in a row</span>`;
  return html`<span class="good">active</span>`;
};

/** The list of endpoints and the form for a new one. */
export const endpointsPage = (
  context: Context,
  session: Session,
  page: {
    endpoints: components["schemas"]["WebhooksOut"];
    health: ReadonlyMap<number, EndpointHealth>;
    top?: Html;
    typed?: TypedEndpoint;
  },
): Html => html`<h1>Webhooks</h1>
${page.top}
<p>Signed deliveries of the events of your plan to an address of yours. How to verify them stands in the
<a href="${placeOf(context, "").replace(/\/dashboard$/, "/docs")}">documentation</a>.</p>
<h2>Your endpoints</h2>
${page.endpoints.data.length === 0 ? html`<p>None yet.</p>` : endpointTable(context, page.endpoints.data, page.health)}
<h2>Register an endpoint</h2>
${
  page.endpoints.available_event_types.length === 0
    ? html`<p>Your plan includes no feed that carries events.</p>`
    : newEndpointForm(context, session, page.endpoints.available_event_types, page.typed)
}`;

const endpointTable = (
  context: Context,
  endpoints: readonly Endpoint[],
  health: ReadonlyMap<number, EndpointHealth>,
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="Your endpoints">
<table>
<caption>Deliveries of the last seven days. Times are UTC.</caption>
<thead><tr><th scope="col">Address</th><th scope="col">State</th><th scope="col" class="number">Delivered</th><th scope="col" class="number">Failed</th><th scope="col" class="number">Waiting</th><th scope="col">Last delivered</th></tr></thead>
<tbody>
${endpoints.map((endpoint) => {
  const of = health.get(endpoint.id);
  return html`<tr><td><a href="${placeOf(context, `/webhooks/${endpoint.id}`)}">${endpoint.url}</a>${endpoint.description && html`<br>${endpoint.description}`}</td>
<td>${shownState(endpoint)}</td><td class="number">${shownCount(of?.delivered ?? 0)}</td><td class="number">${shownCount(of?.failed ?? 0)}</td><td class="number">${shownCount(of?.waiting ?? 0)}</td><td>${shownTime(of?.lastDeliveredAt)}</td></tr>
`;
})}</tbody>
</table>
</div>`;

const newEndpointForm = (
  context: Context,
  session: Session,
  types: readonly (keyof typeof EVENT_TYPE_NAMES)[],
  typed: TypedEndpoint = { url: "", description: "", eventTypes: types },
): Html => html`<form class="stack" method="post" action="${placeOf(context, "/webhooks")}">
${formToken(session)}
<label for="url">Address</label>
<input id="url" name="url" type="url" maxlength="2000" required placeholder="https://example.com/hooks" value="${typed.url}" aria-describedby="url-hint">
<p class="hint" id="url-hint">A public https address; deliveries are posted there.</p>
<label for="description">Your own note</label>
<input id="description" name="description" maxlength="120" value="${typed.description}">
<fieldset>
<legend>Event types</legend>
${types.map(
  (
    type,
  ) => html`<label class="check"><input type="checkbox" name="event_types" value="${type}"${typed.eventTypes.includes(type) && html` checked`}> ${EVENT_TYPE_NAMES[type]}</label>
`,
)}</fieldset>
<button>Register</button>
</form>`;

/** A secret, shown this once. */
export const newSecret = (
  title: string,
  secret: string,
  endpointId: number,
): Html => html`<section class="note" aria-labelledby="secret-title">
<h2 id="secret-title">${title}</h2>
<p>Copy the signing secret of endpoint ${endpointId} now: it is shown this once.</p>
<pre tabindex="0"><code id="secret">${secret}</code></pre>
<p><button type="button" data-copy="secret">Copy the secret</button></p>
</section>`;

export const confirmRotating = (
  context: Context,
  session: Session,
  endpoint: Endpoint,
): Html => html`<h1>Rotate the secret</h1>
<p>Of <strong>${endpoint.url}</strong>. The old secret (<code>${endpoint.secret_prefix}…</code>) stops working at once:
every delivery sent from then on, retries included, is signed with the new one. Until your receiver knows it, deliveries
it refuses are tried again after 1 and 10 minutes, 1, 6 and 24 hours.</p>
<form class="row" method="post">
${formToken(session)}
<button class="danger">Rotate it</button>
<a class="button quiet" href="${placeOf(context, `/webhooks/${endpoint.id}`)}">Keep it</a>
</form>`;
