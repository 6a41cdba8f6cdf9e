import { type DashboardAction, mayDo } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { EVENT_TYPES, type EventType, eventTypeLabel } from "../../../events/event-types.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { InvalidRequestError } from "../../../platform/http/invalid-request.ts";
import type { EndpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { dashboardLink } from "../../frame/links.ts";
import { choice } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { backTo, tabs } from "../../kit/navigation.ts";
import { facts } from "../../kit/table.ts";
import { shownTime } from "../../kit/time.ts";
import { breakableAddress } from "../../kit/words.ts";
import { formToken } from "../dashboard-page.ts";
import { confirmForm, shownMark } from "../parts/confirm.ts";
import { shownRetries } from "../parts/delivery-words.ts";
import { filtersInWords, type ListShown, typedFromFilters } from "../parts/endpoint-filters.ts";
import { endpointFields, payloadInWords, type RefusedEndpoint, refusalOf } from "../parts/endpoint-form.ts";
import { endpointLink, shownState } from "../parts/endpoint-words.ts";
import { noApiAccess, type PlanShown } from "../plan-note.ts";

export type Endpoint = components["schemas"]["WebhookOut"];

/** What every page of an endpoint shows first. */
export interface EndpointHead {
  endpoint: Endpoint;
  plan: PlanShown;
  health: EndpointHealth | undefined;
  /** Shown above everything else: a message, or a new secret. */
  top?: Html | null;
}

/** The head of an endpoint's pages: its address and state, what can be done with it, and its tabs. */
export const endpointHead = (
  context: EntryContext,
  session: Session,
  { endpoint, plan, health, top }: EndpointHead,
  tab: "deliveries" | "replay" | "settings",
): Html => {
  const address = endpointLink(context, endpoint);
  const may = (action: DashboardAction) => mayDo(session.person.role, action);
  const change = (name: string, label: string) => html`<form method="post" action="${address}/${name}">
${formToken(session)}
<button class="quiet">${label}</button>
</form>
`;
  return html`${backTo(dashboardLink(context, "/webhooks"), "Webhooks")}<h1>Endpoint ${endpoint.id}</h1>
${top}
${noApiAccess(context, plan)}
<p>${breakableAddress(endpoint.url)}</p>
<p>${shownState(endpoint, health)}${endpoint.description && html` · ${endpoint.description}`}</p>
<div class="row actions">
${plan.hasApiAccess && may("send deliveries") && change("test", "Send a test delivery")}${endpoint.active && may("change endpoints") && change("pause", "Pause")}${plan.hasApiAccess && may("change endpoints") && !endpoint.active && endpoint.disabled_reason !== "paused_by_operator" && change("enable", "Enable again")}
</div>
${tabs("Endpoint", [
  { name: "Deliveries", href: address, isHere: tab === "deliveries" },
  ...(plan.hasApiAccess ? [{ name: "Replay", href: `${address}/replay`, isHere: tab === "replay" }] : []),
  { name: "Settings", href: `${address}/edit`, isHere: tab === "settings" },
])}`;
};

interface SettingsPage extends EndpointHead {
  /** The event types of the plan. */
  availableTypes: readonly EventType[];
  /** The watchlists of the account. */
  lists: readonly ListShown[];
  /** What was typed and refused, and why. */
  refused: RefusedEndpoint | null;
}

/** The settings of an endpoint: the form that edits it, its secret, and deleting it. */
export const settingsPage = (context: EntryContext, session: Session, page: SettingsPage): Html => {
  const { endpoint, plan } = page;
  const address = endpointLink(context, endpoint);
  return html`${endpointHead(context, session, page, "settings")}
${facts([
  ["Registered", shownTime(endpoint.created_at)],
  ["Event types", endpoint.event_types.map(eventTypeLabel).join(", ")],
  ["Receives", filtersInWords(endpoint.filters, page.lists)],
  ["Content", payloadInWords(endpoint.payload)],
  ["Corrections", endpoint.corrections ? "sent too" : "not sent"],
  ["Changes of watched carriers", endpoint.changes ? "sent too" : "not sent"],
  ["Secret", html`<code>${endpoint.secret_prefix}…</code>`],
  endpoint.previous_secret_valid_until != null && [
    "Also signed with the old secret until",
    shownTime(endpoint.previous_secret_valid_until),
  ],
])}
${
  plan.hasApiAccess &&
  mayDo(session.person.role, "change endpoints") &&
  html`<h2>Edit</h2>
${editForm(context, session, page)}
<h2>Rotate the secret</h2>
<p>Get a new signing secret when the old one may be known to others.</p>
<p><a class="button quiet" href="${address}/rotate">Rotate the secret</a></p>`
}
${
  mayDo(session.person.role, "delete endpoints") &&
  html`<h2>Delete</h2>
<p>The endpoint, its secret and its deliveries will be deleted for good.</p>
<p><a class="button danger" href="${address}/delete">Delete</a></p>`
}`;
};

/** The form that edits an endpoint. It also lists types that the plan lacks, so that they can be removed. */
function editForm(
  context: EntryContext,
  session: Session,
  { endpoint, availableTypes, lists, refused }: SettingsPage,
): Html {
  const { url, description, event_types: eventTypes } = endpoint;
  const types = EVENT_TYPES.filter((type) => availableTypes.includes(type) || eventTypes.includes(type));
  return html`${refused && refusalOf(refused)}
<form class="stack" method="post" action="${endpointLink(context, endpoint)}/edit">
${formToken(session)}
${endpointFields({ types, lists }, refused?.typed ?? { url, description: description ?? "", eventTypes, filters: typedFromFilters(endpoint.filters), payload: endpoint.payload ?? "full", honorsRetryAfter: endpoint.honor_retry_after === true, corrections: endpoint.corrections === true, changes: endpoint.changes === true }, refused?.mistakes ?? [])}
<p class="hint">The secret does not change. Queued deliveries go to the new address. If you remove an event type, its queued
deliveries are not sent. If you add one, you get its events from now on. Other limits decide about the events from now on;
queued deliveries are still sent.</p>
<button>Save</button>
</form>`;
}

/** The page that asks before an endpoint is deleted. */
export const confirmDeleting = (context: EntryContext, session: Session, endpoint: Endpoint): Html =>
  confirmation(context, session, endpoint, {
    title: "Delete the endpoint",
    text: html`<strong>${breakableAddress(endpoint.url)}</strong> will get no more deliveries, not even queued ones. Its secret, its deliveries and
their attempts will be deleted, and cannot be restored or replayed. To stop deliveries for a while, pause the endpoint instead.`,
    button: "Delete the endpoint",
  });

/** The page that asks before the secret of an endpoint is rotated. */
export const confirmRotating = (context: EntryContext, session: Session, endpoint: Endpoint): Html =>
  confirmation(context, session, endpoint, {
    title: "Rotate the secret",
    text: html`The old secret of <strong>${breakableAddress(endpoint.url)}</strong> (<code>${endpoint.secret_prefix}…</code>) will stop working at once,
unless you choose an overlap. Every later delivery will be signed with the new secret, retries included. A delivery that your receiver refuses, because it does not
know the new secret yet, is retried. ${shownRetries(context.config.webhookRetrySeconds)}`,
    fields: html`${shownMark(endpoint.secret_prefix)}${choice({ name: "overlap", label: "Sign with the old secret too", value: "0", choices: OVERLAPS })}<p class="hint">With an
overlap each delivery has two signatures: your receiver must accept more than one. A leaked secret needs none.</p>
`,
    button: "Rotate the secret",
  });

/** How long deliveries may also be signed with the old secret: seconds, and in words. */
const OVERLAPS = [
  ["0", "no"],
  ["3600", "for an hour"],
  ["86400", "for a day"],
] as const;

/** The seconds of a chosen overlap. InvalidRequestError when it is not one of the form. */
export function overlapOf(typed: string): number {
  const chosen = OVERLAPS.find(([seconds]) => seconds === (typed || "0"));
  if (chosen !== undefined) return Number(chosen[0]);
  throw new InvalidRequestError([{ loc: ["body", "overlap"], msg: "must be one of the form", type: "form" }]);
}

const confirmation = (
  context: EntryContext,
  session: Session,
  endpoint: Endpoint,
  { title, text, ...form }: { title: string; text: Html; fields?: Html; button: string },
): Html => html`${backTo(endpointLink(context, endpoint), `Endpoint ${endpoint.id}`)}<h1>${title}</h1>
<p>${text}</p>
${confirmForm(session, { ...form, cancel: `${endpointLink(context, endpoint)}/edit` })}`;
