import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import type { EndpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { dashboardLink, linkTo } from "../../frame/links.ts";
import { codeBlock } from "../../kit/code-block.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState, notice } from "../../kit/notice.ts";
import { table } from "../../kit/table.ts";
import { shownTime } from "../../kit/time.ts";
import { formToken } from "../layout.ts";
import { shownRetries } from "../parts/delivery-words.ts";
import { linkedAddress } from "../parts/endpoint-address.ts";
import { shownState } from "../parts/endpoint-condition.ts";
import { typedFromFilters } from "../parts/endpoint-filters.ts";
import { endpointFields, type RefusedEndpoint, refusalOf } from "../parts/endpoint-form.ts";
import { howToGetMore, noApiAccess, type PlanShown } from "../parts/plan-note.ts";

interface EndpointsPage {
  plan: PlanShown;
  endpoints: components["schemas"]["WebhooksOut"];
  health: ReadonlyMap<number, EndpointHealth>;
  /** Shown above everything else. */
  top?: Html | null;
  /** What was typed and refused, and why. */
  refused?: RefusedEndpoint;
}

/** The list of endpoints and the form for a new one. */
export const endpointsPage = (
  context: EntryContext,
  session: Session,
  page: EndpointsPage,
): Html => html`<h1>Webhooks</h1>
${page.top}
${noApiAccess(context, page.plan)}
<p>We send the events of your plan to your address, as signed deliveries. The
<a href="${linkTo(context, "/docs")}">documentation</a> says how to verify them.
${shownRetries(context.config.webhookRetrySeconds)}</p>
<h2>Your endpoints</h2>
${
  page.endpoints.data.length === 0
    ? emptyState({
        title: "No endpoint yet",
        text: page.plan.hasApiAccess
          ? "Register an address of yours below. It gets the events that come from then on."
          : "Endpoints need a plan with API access.",
      })
    : endpointTable(context, page)
}
${page.plan.hasApiAccess && registerPart(context, session, page)}`;

const registerPart = (
  context: EntryContext,
  session: Session,
  { plan, endpoints: { available_event_types: types }, refused }: EndpointsPage,
): Html => html`<h2>Register an endpoint</h2>
${
  types.length === 0
    ? html`<p>Your plan includes no feed that carries events. ${howToGetMore(context, plan)}</p>`
    : html`${refused && refusalOf(refused)}
<form class="stack" method="post" action="${dashboardLink(context, "/webhooks")}">
${formToken(session)}
${endpointFields(types, refused?.typed ?? { url: "", description: "", eventTypes: types, filters: typedFromFilters(null), payload: "full", honorsRetryAfter: false }, refused?.mistakes ?? [])}
<button>Register</button>
</form>`
}`;

const endpointTable = (context: EntryContext, { endpoints, health }: EndpointsPage): Html =>
  table({
    label: "Your endpoints",
    caption: "Deliveries of the last seven days.",
    rows: endpoints.data.map((endpoint) => ({ endpoint, of: health.get(endpoint.id) })),
    columns: [
      {
        head: "Address",
        cell: ({ endpoint }) =>
          html`${linkedAddress(context, endpoint)}${endpoint.description && html`<br>${endpoint.description}`}`,
      },
      { head: "State", cell: ({ endpoint, of }) => shownState(endpoint, of) },
      { head: "Delivered", cell: ({ of }) => of?.delivered ?? 0, isNumber: true },
      { head: "Failed", cell: ({ of }) => of?.failed ?? 0, isNumber: true },
      { head: "Waiting", cell: ({ of }) => of?.waiting ?? 0, isNumber: true, meaning: "Queued or in flight" },
      { head: "Last delivered", cell: ({ of }) => shownTime(of?.lastDeliveredAt) },
    ],
  });

/** A secret that was made for an endpoint. */
export interface NewSecret {
  title: string;
  id: number;
  secret: string;
  /** Until when deliveries are also signed with the secret before, if they are. */
  previousUntil: string | null;
}

/** The part of a page that shows a new secret, or says that it was already shown. Null when there is none. */
export function secretPart(note: NewSecret | "gone" | null): Html | null {
  if (note === "gone") {
    return notice(
      "warn",
      "The new secret was already shown once. If you did not copy it, rotate the endpoint's secret to get another one.",
    );
  }
  return note && newSecret(note);
}

const newSecret = ({ title, id, secret, previousUntil }: NewSecret): Html =>
  notice(
    "good",
    html`<p>Copy the signing secret of endpoint ${id} now. It cannot be shown again.</p>
${previousUntil && html`<p>Deliveries are also signed with the old secret until ${shownTime(previousUntil)}.</p>`}
${codeBlock({ id: "secret", code: secret, language: "text", copy: "Copy the secret" })}`,
    { id: "secret-title", text: title },
  );
