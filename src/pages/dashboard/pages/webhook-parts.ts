import type { Session } from "../../../accounts/sessions/sessions.ts";
import { EVENT_TYPES, type EventType, eventTypeLabel } from "../../../events/event-types.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { PAUSES_AT } from "../../../webhooks/dispatch/lost-delivery.ts";
import type { EndpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { dashboardLink, linkTo } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownCount } from "../../kit/number.ts";
import { shownTime } from "../../kit/time.ts";
import { formToken } from "../layout.ts";
import { shownRetries } from "../parts/delivery-words.ts";
import type { TypedEndpoint } from "../parts/endpoint-form.ts";
import { howToGetMore, noApiAccess, type PlanShown } from "../parts/plan-note.ts";

type Endpoint = components["schemas"]["WebhookOut"];

/** The link to the page of an endpoint. */
export const placeOfEndpoint = (context: EntryContext, { id }: Pick<Endpoint, "id">): string =>
  dashboardLink(context, `/webhooks/${id}`);

const DISABLED_REASONS: Record<string, string> = {
  paused_by_customer: "paused by you",
  too_many_failures: `paused after ${PAUSES_AT} failed deliveries in a row`,
  plan_changed: "paused: the plan includes none of its event types",
};

/** The state of an endpoint, in words. */
export const shownState = ({ active, disabled_reason, failure_streak = 0 }: Endpoint): Html => {
  if (!active) return html`<span class="bad">${DISABLED_REASONS[disabled_reason ?? ""] ?? "paused"}</span>`;
  if (failure_streak > 0) return html`<span class="warn">${failure_streak} failed in a row</span>`;
  return html`<span class="good">active</span>`;
};

/** The list of endpoints and the form for a new one. */
export const endpointsPage = (
  context: EntryContext,
  session: Session,
  page: {
    plan: PlanShown;
    endpoints: components["schemas"]["WebhooksOut"];
    health: ReadonlyMap<number, EndpointHealth>;
    top?: Html | null;
    typed?: TypedEndpoint;
  },
): Html => html`<h1>Webhooks</h1>
${page.top}
${noApiAccess(context, page.plan)}
<p>We send the events of your plan to your address, as signed deliveries. How to verify them is in the
<a href="${linkTo(context, "/docs")}">documentation</a>.
${shownRetries(context.config.webhookRetrySeconds)}</p>
<h2>Your endpoints</h2>
${page.endpoints.data.length === 0 ? html`<p>None yet.</p>` : endpointTable(context, page.endpoints.data, page.health)}
${page.plan.hasApiAccess && registerPart(context, session, page)}`;

const registerPart = (
  context: EntryContext,
  session: Session,
  { plan, endpoints, typed }: Parameters<typeof endpointsPage>[2],
): Html => {
  const types = endpoints.available_event_types;
  if (types.length === 0) {
    return html`<h2>Register an endpoint</h2>
<p>Your plan includes no feed that carries events. ${howToGetMore(context, plan)}</p>`;
  }
  return html`<h2>Register an endpoint</h2>
<form class="stack" method="post" action="${dashboardLink(context, "/webhooks")}">
${formToken(session)}
${endpointFields(types, typed ?? { url: "", description: "", eventTypes: types })}
<button>Register</button>
</form>`;
};

const endpointTable = (
  context: EntryContext,
  endpoints: readonly Endpoint[],
  health: ReadonlyMap<number, EndpointHealth>,
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="Your endpoints">
<table>
<caption>Deliveries of the last seven days. Times are UTC.</caption>
<thead><tr><th scope="col">Address</th><th scope="col">State</th><th scope="col" class="number">Delivered</th><th scope="col" class="number">Failed</th><th scope="col" class="number">Waiting</th><th scope="col">Last delivered</th></tr></thead>
<tbody>
${endpoints.map((endpoint) => {
  const of = health.get(endpoint.id);
  return html`<tr><td><a href="${dashboardLink(context, `/webhooks/${endpoint.id}`)}">${endpoint.url}</a>${endpoint.description && html`<br>${endpoint.description}`}</td>
<td>${shownState(endpoint)}</td><td class="number">${shownCount(of?.delivered ?? 0)}</td><td class="number">${shownCount(of?.failed ?? 0)}</td><td class="number">${shownCount(of?.waiting ?? 0)}</td><td>${shownTime(of?.lastDeliveredAt)}</td></tr>
`;
})}</tbody>
</table>
</div>`;

/** The fields of an endpoint with the typed values. */
const endpointFields = (types: readonly EventType[], typed: TypedEndpoint): Html => html`
<label for="url">Address</label>
<input id="url" name="url" type="url" maxlength="2000" required placeholder="https://example.com/hooks" value="${typed.url}" aria-describedby="url-hint">
<p class="hint" id="url-hint">A public https address. Deliveries are posted to it.</p>
<label for="description">Your own note</label>
<input id="description" name="description" maxlength="120" value="${typed.description}">
<fieldset>
<legend>Event types</legend>
${types.map(
  (
    type,
  ) => html`<label class="check"><input type="checkbox" name="event_types" value="${type}"${typed.eventTypes.includes(type) && html` checked`}> ${eventTypeLabel(type)}</label>
`,
)}</fieldset>`;

/** The form that edits an endpoint. It also lists types that the plan lacks, so that they can be removed. */
export const editPage = (
  context: EntryContext,
  session: Session,
  page: {
    endpoint: Endpoint;
    availableTypes: readonly EventType[];
    typed: TypedEndpoint;
    wrong?: string;
  },
): Html => {
  const { endpoint, availableTypes, typed, wrong } = page;
  const shown = EVENT_TYPES.filter(
    (type) => availableTypes.includes(type) || endpoint.event_types.includes(type),
  );
  return html`<p><a href="${placeOfEndpoint(context, endpoint)}">Endpoint ${endpoint.id}</a></p>
<h1>Edit the endpoint</h1>
${wrong && html`<p class="notice bad" role="alert">${wrong}</p>`}
<p>The secret does not change. Queued deliveries go to the new address. If you remove an event type, its queued deliveries
are not sent. If you add one, you get its events from now on.</p>
<form class="stack" method="post">
${formToken(session)}
${endpointFields(shown, typed)}
<p class="row"><button>Save</button>
<a class="button quiet" href="${placeOfEndpoint(context, endpoint)}">Leave it as it is</a></p>
</form>`;
};

export const confirmDeleting = (
  context: EntryContext,
  session: Session,
  endpoint: Endpoint,
): Html => html`<h1>Delete the endpoint</h1>
<p><strong>${endpoint.url}</strong> gets no more deliveries, not even queued ones. Its secret, its deliveries and their
attempts are deleted, and cannot be restored or replayed. To stop deliveries for a while, pause the endpoint instead.</p>
<form class="row" method="post">
${formToken(session)}
<button class="danger">Delete it for good</button>
<a class="button quiet" href="${placeOfEndpoint(context, endpoint)}">Keep it</a>
</form>`;

const SECRET_WAS_SHOWN = html`<p class="notice">The new secret was already shown once. If you did not copy it, rotate the endpoint's
secret to get another one.</p>`;

/** A secret that was made for an endpoint. */
export interface NewSecret {
  id: number;
  secret: string;
}

/** The part of a page that shows a new secret, or says that it was already shown. Null when there is none. */
export function secretPart(note: NewSecret | "gone" | null, title: string): Html | null {
  if (note === "gone") return SECRET_WAS_SHOWN;
  return note && newSecret(title, note.secret, note.id);
}

const newSecret = (
  title: string,
  secret: string,
  endpointId: number,
): Html => html`<section class="notice" aria-labelledby="secret-title">
<h2 id="secret-title">${title}</h2>
<p>Copy the signing secret of endpoint ${endpointId} now. It cannot be shown again.</p>
<pre tabindex="0"><code id="secret">${secret}</code></pre>
<p><button type="button" data-copy="secret">Copy the secret</button></p>
</section>`;

export const confirmRotating = (
  context: EntryContext,
  session: Session,
  endpoint: Endpoint,
): Html => html`<h1>Rotate the secret</h1>
<p>The old secret of <strong>${endpoint.url}</strong> (<code>${endpoint.secret_prefix}…</code>) stops working at once. Every
later delivery is signed with the new secret, retries included. A delivery that your receiver refuses, because it does not
know the new secret yet, is retried. ${shownRetries(context.config.webhookRetrySeconds)}</p>
<form class="row" method="post">
${formToken(session)}
<button class="danger">Rotate it</button>
<a class="button quiet" href="${dashboardLink(context, `/webhooks/${endpoint.id}`)}">Keep it</a>
</form>`;
