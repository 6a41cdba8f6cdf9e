import { callerOfAccount } from "../../../accounts/keys/caller.ts";
import { listKeys } from "../../../accounts/keys/keys.ts";
import { isAnswered } from "../../../accounts/keys/shown-key.ts";
import { mayDo } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { forecastOf, readUsage, usageByDay } from "../../../accounts/usage/usage.ts";
import { newestEvent } from "../../../events/newest.ts";
import { rowsInPlan } from "../../../feeds/records/count.ts";
import { listFeeds, sizeHistories } from "../../../feeds/versions/feeds-list.ts";
import { dayOf } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { countOf } from "../../../platform/plural.ts";
import { hasTestDelivery } from "../../../webhooks/deliveries/test-delivery.ts";
import { endpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { readEndpoints } from "../../../webhooks/endpoints/endpoints.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import { verdict } from "../../kit/notice.ts";
import { sendPage } from "../dashboard-page.ts";
import { DAYS_SHOWN } from "../parts/charts/usage-charts.ts";
import { checklist, firstTasks } from "../parts/checklist.ts";
import { endpointWarnings } from "../parts/endpoint-warnings.ts";
import { conditionOf, isDown } from "../parts/endpoint-words.ts";
import {
  feedWarnings,
  otherWarnings,
  quotaWarnings,
  shownWarning,
  suspensionWarnings,
  type Warning,
} from "../parts/warnings.ts";
import { noApiAccess } from "../plan-note.ts";
import type { Routes } from "../signed-in.ts";
import { feedsPart } from "./overview-feeds.ts";
import { accountPart, chartsPart, endpointsPart, figures, type Overview } from "./overview-parts.ts";

/** Further warnings can only be about endpoints, which have their own page. */
const MOST_WARNINGS = 20;

/** Routes the first page: whether all is well, figures, charts, endpoints, feeds, and the next step. */
export const overviewRoutes: Routes = (pages, context) => {
  pages.get("/", async (_request, response, session) => {
    const body = await overviewPage(context, session);
    sendPage(context, response, { title: "Overview", body, session, here: "/" });
  });
};

async function overviewPage(context: EntryContext, session: Session): Promise<Html> {
  const caller = await callerOfAccount(context, session.accountId);
  const [seen, others] = await Promise.all([
    overviewOf(context, caller, session.person.role),
    otherWarnings(context, { email: session.person.email, plan: caller }),
  ]);
  const { endpoints, hasTested, keys } = seen;
  const isWorking =
    caller.hasApiAccess && caller.suspension === null && mayDo(session.person.role, "make keys");
  const todo = isWorking ? firstTasks(context, { keys, endpoints, hasTested }) : [];
  const isNew = todo.slice(0, 2).some(({ isDone }) => !isDone);
  const nextSteps =
    todo.some(({ isDone }) => !isDone) &&
    html`<h2>${isNew ? "Start here" : "Next step"}</h2>${checklist(todo)}`;
  const {
    bad = [],
    warn = [],
    info = [],
  } = Object.groupBy(
    [...suspensionWarnings(context, caller), ...warningsOf(context, seen), ...others],
    ({ kind }) => kind,
  );
  return html`<h1>Overview</h1>
${verdictOf(seen, { bad: bad.length, warn: warn.length })}
${urgentPart(context, [...bad, ...warn])}
${noApiAccess(context, caller)}
${isNew && nextSteps}
${figures(context, seen)}
${info.slice(0, MOST_WARNINGS).map(shownWarning)}
${chartsPart(seen)}
${endpointsPart(context, seen)}
${feedsPart(context, seen)}
${!isNew && nextSteps}
${accountPart(context, session, caller)}`;
}

/** Everything that the page shows of the account. */
async function overviewOf(
  context: EntryContext,
  caller: Overview["caller"],
  role: Overview["role"],
): Promise<Overview> {
  const { accountId } = caller;
  const today = dayOf(context.clock.now());
  const [usage, days, feeds, rows, sizes, event, keys, endpoints, health, hasTested] = await Promise.all([
    readUsage(context, caller),
    usageByDay(context, accountId, DAYS_SHOWN),
    listFeeds(context, caller),
    rowsInPlan(context, caller),
    sizeHistories(context, caller, DAYS_SHOWN),
    newestEvent(context, caller),
    listKeys(context, accountId),
    readEndpoints(context, caller),
    endpointHealth(context, accountId),
    hasTestDelivery(context, accountId),
  ]);
  const forecast = forecastOf(today, usage, days);
  const state = { event, keys, endpoints, health, hasTested };
  return { caller, role, today, usage, days, forecast, feeds: feeds.data, rows, sizes, ...state };
}

function warningsOf(
  context: EntryContext,
  { caller, role, usage, forecast, endpoints, health, feeds }: Overview,
): Warning[] {
  const ofEndpoints = endpoints.data.flatMap((endpoint) =>
    endpointWarnings(context, caller, endpoint, {
      role,
      health: health.get(endpoint.id),
      availableTypes: endpoints.available_event_types,
    }),
  );
  return [
    ...quotaWarnings(context, caller, { ...usage, forecast }),
    ...ofEndpoints.map((each) => ({ ...each, kind: worse(each.kind, leastKind(endpoints.data, health)) })),
    ...feedWarnings(context, feeds),
  ];
}

const KINDS = ["info", "warn", "bad"] as const;
const worse = (one: Warning["kind"], other: Warning["kind"]): Warning["kind"] =>
  KINDS.indexOf(one) > KINDS.indexOf(other) ? one : other;

/** How bad a warning about an endpoint is at least: nothing arrives at any, or none is known to work. */
function leastKind(endpoints: Overview["endpoints"]["data"], health: Overview["health"]): Warning["kind"] {
  const isOwnWish = endpoints.every(({ disabled_reason }) => disabled_reason === "paused_by_customer");
  if (endpoints.every(isDown) && !isOwnWish) return "bad";
  return endpoints.some((each) => conditionOf(each, health.get(each.id)) === "healthy") ? "info" : "warn";
}

/** The first line says whether all is well. It is green only where something is in use that could fail. */
function verdictOf({ caller, keys }: Overview, { bad, warn }: { bad: number; warn: number }): Html {
  if (bad > 0) {
    const others = warn > 0 && `; ${countOf(warn, "more needs", "more need")} attention`;
    return verdict("bad", `${countOf(bad, "thing does", "things do")} not work${others || ""}.`);
  }
  if (warn > 0) return verdict("warn", `${countOf(warn, "thing needs", "things need")} attention.`);
  if (!caller.hasApiAccess) return verdict("plain", "Nothing needs attention.");
  if (keys.some(isAnswered)) return verdict("good", "Everything works.");
  const hasEnded = keys.some(({ state }) => state === "expired");
  return verdict("plain", hasEnded ? "Your API keys have ended." : "You have no API key yet.");
}

/** What does not work or needs attention, each with what to do. */
const urgentPart = (
  context: EntryContext,
  warnings: readonly Warning[],
): Html => html`${warnings.slice(0, MOST_WARNINGS).map(shownWarning)}
${warnings.length > MOST_WARNINGS && html`<p>${warnings.length - MOST_WARNINGS} more: see <a href="${dashboardLink(context, "/webhooks")}">Webhooks</a>.</p>`}`;
