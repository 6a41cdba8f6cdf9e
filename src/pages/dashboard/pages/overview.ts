import { callerOfAccount } from "../../../accounts/keys/account-caller.ts";
import { listKeys } from "../../../accounts/keys/keys.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { readUsage } from "../../../accounts/usage/usage.ts";
import { listFeeds } from "../../../feeds/feeds-list.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { endpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { readEndpoints } from "../../../webhooks/endpoints/endpoints.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownCount } from "../../kit/number.ts";
import type { Routes } from "../dashboard.ts";
import { formToken, sendPage } from "../layout.ts";
import { endpointWarnings } from "../parts/endpoint-warnings.ts";
import { noApiAccess } from "../parts/plan-note.ts";
import { feedWarnings, otherWarnings, quotaWarnings, shownWarning, type Warning } from "../parts/warnings.ts";

/** Further warnings can only be about endpoints, which have their own page. */
const MOST_WARNINGS = 20;

/** Routes the first page: warnings, the plan, and how much of it is used. */
export const overviewRoutes: Routes = (router, context, guard) => {
  router.get(
    "/",
    guard(async (_request, response, session) => {
      const body = await overviewOf(context, session);
      sendPage(context, response, { title: "Overview", body, session, here: "/" });
    }),
  );
};

async function overviewOf(context: EntryContext, session: Session): Promise<Html> {
  const caller = await callerOfAccount(context, session.accountId);
  const [usage, feeds, keys, endpoints, others] = await Promise.all([
    readUsage(context, caller),
    listFeeds(context, caller),
    listKeys(context, session.accountId),
    warningsOfEndpoints(context, caller),
    otherWarnings(context, { email: session.email, plan: caller }),
  ]);
  const warnings = [
    ...quotaWarnings(context, caller, usage),
    ...endpoints,
    ...feedWarnings(feeds.data),
    ...others,
  ];
  const hasKey = keys.some((key) => key.revoked_at === null);
  return html`<h1>Overview</h1>
${noApiAccess(context, caller)}
${!hasKey && caller.hasApiAccess && html`<p class="notice">Start with an API key: <a href="${dashboardLink(context, "/keys")}">make one</a>, and paste the line shown with it into a terminal.</p>`}
<h2>Needs attention</h2>
${warnings.length === 0 ? html`<p class="good">Nothing. Everything works.</p>` : warnings.toSorted(byKind).slice(0, MOST_WARNINGS).map(shownWarning)}
${warnings.length > MOST_WARNINGS && html`<p>${shownCount(warnings.length - MOST_WARNINGS)} more: see <a href="${dashboardLink(context, "/webhooks")}">Webhooks</a>.</p>`}
<h2>Your plan</h2>
<dl class="facts">
<div><dt>Plan</dt><dd>${caller.planName}</dd></div>
<div><dt>API access</dt><dd>${caller.hasApiAccess ? "yes" : "no"}</dd></div>
<div><dt>Rows this month</dt><dd>${caller.rowsPerMonth === 0 ? "none in this plan" : `${shownCount(usage.usage.quota_rows)} of ${shownCount(caller.rowsPerMonth)}`}</dd></div>
${caller.hasApiAccess && html`<div><dt>Requests a minute</dt><dd>${shownCount(caller.requestsPerMinute)} for each key</dd></div>`}
<div><dt>Feeds</dt><dd>${feeds.data.length === 0 ? 0 : html`${feeds.data.length}: <a href="${dashboardLink(context, "/feeds")}">look at them</a>`}</dd></div>
<div><dt>Licence reference</dt><dd><code>${caller.licenceRef}</code></dd></div>
</dl>
<h2>Sessions</h2>
<p>Signed in as ${session.email}.</p>
<form method="post" action="${dashboardLink(context, "/sign-out-everywhere")}">
${formToken(session)}
<button class="quiet">Sign out everywhere</button>
</form>`;
}

const byKind = (one: Warning, other: Warning): number =>
  Number(one.kind === "note") - Number(other.kind === "note");

async function warningsOfEndpoints(
  context: EntryContext,
  caller: Awaited<ReturnType<typeof callerOfAccount>>,
): Promise<Warning[]> {
  const [endpoints, health] = await Promise.all([
    readEndpoints(context, caller),
    endpointHealth(context, caller.accountId),
  ]);
  return endpoints.data.flatMap((endpoint) =>
    endpointWarnings(context, caller, endpoint, {
      health: health.get(endpoint.id),
      availableTypes: endpoints.available_event_types,
    }),
  );
}
