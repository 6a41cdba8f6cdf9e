import { callerOfAccount, requireApiAccess } from "../../../accounts/keys/caller.ts";
import { mayDo, offered } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { listNames } from "../../../watchlists/watchlists.ts";
import { queueTestDelivery } from "../../../webhooks/deliveries/test-delivery.ts";
import { createEndpoint } from "../../../webhooks/endpoints/create.ts";
import { enableEndpoint, problemOfEnabling } from "../../../webhooks/endpoints/enable.ts";
import { type EndpointHealth, endpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { endpointMakers, noSuchEndpoint, readEndpoints } from "../../../webhooks/endpoints/endpoints.ts";
import { pauseByCustomer } from "../../../webhooks/endpoints/pause-or-delete.ts";
import { dashboardLink, linkTo } from "../../frame/links.ts";
import { codeBlock } from "../../kit/code-block.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState, notice } from "../../kit/notice.ts";
import { table } from "../../kit/table.ts";
import { shownTime } from "../../kit/time.ts";
import { formToken, sendPage } from "../dashboard-page.ts";
import { madeBy } from "../made-by.ts";
import { addressAfter, doneToast, redirectWithNote } from "../parts/after-action.ts";
import { shownRetries } from "../parts/delivery-words.ts";
import { type ListShown, typedFromFilters } from "../parts/endpoint-filters.ts";
import { endpointFields, type RefusedEndpoint, refusalOf, savedBy } from "../parts/endpoint-form.ts";
import { healthColumns, linkedAddress } from "../parts/endpoint-words.ts";
import { howToGetMore, noApiAccess, type PlanShown } from "../plan-note.ts";
import { callerOf, type Routes } from "../signed-in.ts";

const HERE = "/webhooks";

/** Routes the list of endpoints, and making, pausing, enabling and testing them. */
export const webhookRoutes: Routes = (pages, context) => {
  const here = dashboardLink(context, HERE);
  pages.get(HERE, async (request, response, session) => {
    sendPage(context, response, await listPage(context, session, { top: doneToast(request) }));
  });
  pages.post(HERE, "register endpoints", async (request, response, session) => {
    const refused = await savedBy(context, request, async (asked) => {
      const { id, secret } = await createEndpoint(context, await callerOf(context, session), asked);
      const note: NewSecret = { title: "Your new endpoint", id, secret: secret ?? "", previousUntil: null };
      await redirectWithNote(context, request, response, { address: `${here}/${id}`, note });
    });
    if (refused === null) return;
    const page = await listPage(context, session, { top: null, refused });
    sendPage(context, response, { ...page, status: refused.status });
  });
  pages.post("/webhooks/:id/pause", "change endpoints", async (request, response, session) => {
    const id = idOf(request.params.id);
    await pauseByCustomer(context, session.accountId, id, session);
    response.redirect(303, addressAfter(`${here}/${id}`, "paused"));
  });
  pages.post("/webhooks/:id/enable", "change endpoints", async (request, response, session) => {
    const endpointId = idOf(request.params.id);
    const outcome = await enableEndpoint(context, { endpointId, ...session });
    // A plan without API access has none of the event types.
    if (outcome === "not_in_plan") requireApiAccess(await callerOfAccount(context, session.accountId));
    const problem = problemOfEnabling(outcome);
    if (problem !== null) throw problem;
    response.redirect(303, addressAfter(`${here}/${endpointId}`, "enabled"));
  });
  pages.post("/webhooks/:id/test", "send deliveries", async (request, response, session) => {
    requireApiAccess(await callerOfAccount(context, session.accountId));
    const queued = await queueTestDelivery(context, session.accountId, idOf(request.params.id));
    response.redirect(303, `${here}/${queued.endpoint_id}/deliveries/${queued.delivery_id}`);
  });
};

/** The endpoint or delivery number in an address. ProblemError not_found when it is not a number. */
export function idOf(text: unknown): number {
  if (/^[1-9]\d{0,14}$/.test(String(text))) return Number(text);
  throw noSuchEndpoint();
}

/** The account's endpoint with that id, its plan, and the event types of the plan. ProblemError not_found. */
export async function endpointOf(context: EntryContext, { accountId }: Session, id: number) {
  const plan = await callerOfAccount(context, accountId);
  const { data, available_event_types: availableTypes } = await readEndpoints(context, plan);
  const endpoint = data.find((each) => each.id === id);
  if (!endpoint) throw noSuchEndpoint();
  return { endpoint, plan, availableTypes };
}

/** The same with the endpoint's health, which is read from its deliveries: for the head of its pages. */
export async function endpointWithHealth(context: EntryContext, session: Session, id: number) {
  const [found, health] = await Promise.all([
    endpointOf(context, session, id),
    endpointHealth(context, session.accountId, id),
  ]);
  return { ...found, health: health.get(id) };
}

async function listPage(
  context: EntryContext,
  session: Session,
  parts: { top: Html | null; refused?: RefusedEndpoint },
) {
  const plan = await callerOfAccount(context, session.accountId);
  const [endpoints, makers, health, lists] = await Promise.all([
    readEndpoints(context, plan),
    endpointMakers(context, session.accountId),
    endpointHealth(context, session.accountId),
    listNames(context, session.accountId),
  ]);
  const body = endpointsPage(context, session, { plan, endpoints, makers, health, lists, ...parts });
  return { title: "Webhooks", body, session, here: HERE };
}

interface EndpointsPage {
  plan: PlanShown;
  endpoints: components["schemas"]["WebhooksOut"];
  /** Who made each endpoint. */
  makers: ReadonlyMap<number, string | null>;
  health: ReadonlyMap<number, EndpointHealth>;
  /** The watchlists of the account. */
  lists: readonly ListShown[];
  /** Shown above everything else. */
  top?: Html | null;
  /** What was typed and refused, and why. */
  refused?: RefusedEndpoint;
}

/** The list of endpoints and the form for a new one. */
const endpointsPage = (
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
          ? offered(
              session.person.role,
              "register endpoints",
              "Register an address of yours below. It gets the events that come from then on.",
            )
          : "Endpoints need a plan with API access.",
      })
    : endpointTable(context, page)
}
${page.plan.hasApiAccess && mayDo(session.person.role, "register endpoints") && registerPart(context, session, page)}`;

const registerPart = (
  context: EntryContext,
  session: Session,
  { plan, endpoints: { available_event_types: types }, lists, refused }: EndpointsPage,
): Html => html`<h2>Register an endpoint</h2>
${
  types.length === 0
    ? html`<p>Your plan includes no feed that carries events. ${howToGetMore(context, plan)}</p>`
    : html`${refused && refusalOf(refused)}
<form class="stack" method="post" action="${dashboardLink(context, "/webhooks")}">
${formToken(session)}
${endpointFields({ types, lists }, refused?.typed ?? { url: "", description: "", eventTypes: types, filters: typedFromFilters(null), payload: "full", honorsRetryAfter: false, corrections: false, changes: false }, refused?.mistakes ?? [])}
<button>Register</button>
</form>`
}`;

const endpointTable = (context: EntryContext, { endpoints, makers, health }: EndpointsPage): Html =>
  table({
    label: "Your endpoints",
    caption: "Deliveries of the last seven days.",
    rowsAreCards: true,
    rows: endpoints.data,
    columns: [
      {
        head: "Address",
        cell: (endpoint) =>
          html`${linkedAddress(context, endpoint)}${endpoint.description && html`<br>${endpoint.description}`}`,
      },
      ...healthColumns(health),
      { head: "Made by", cell: ({ id }) => madeBy(makers.get(id)) },
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
