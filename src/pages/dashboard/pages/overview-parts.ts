import type { callerOfAccount } from "../../../accounts/keys/caller.ts";
import type { KeyShown } from "../../../accounts/keys/shown-key.ts";
import { mayDo, type Role } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { type DayUsage, type Forecast, rowsOf, type Usage } from "../../../accounts/usage/usage.ts";
import type { EventOut } from "../../../events/event-row.ts";
import { eventSubject } from "../../../events/event-sentence.ts";
import { type EventType, eventTypeLabel } from "../../../events/event-types.ts";
import type { SizeHistory } from "../../../feeds/versions/feeds-list.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { nounFor, shareOf, shownCount } from "../../../platform/plural.ts";
import { shownDate } from "../../../platform/shown-day.ts";
import type { EndpointHealth } from "../../../webhooks/endpoints/endpoint-health.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Card, cards } from "../../kit/card.ts";
import { quotaBar } from "../../kit/chart.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState } from "../../kit/notice.ts";
import { facts, table } from "../../kit/table.ts";
import { shownTime } from "../../kit/time.ts";
import { formToken } from "../dashboard-page.ts";
import {
  byDay,
  DAYS_SHOWN,
  errorsOf,
  requestsChart,
  rowsChart,
  sentRequests,
} from "../parts/charts/usage-charts.ts";
import { conditionOf, healthColumns, linkedAddress } from "../parts/endpoint-words.ts";
import { forecastBasis, shownForecast } from "../parts/quota-forecast.ts";

type Endpoint = components["schemas"]["WebhookOut"];

/** What the overview shows of an account. */
export interface Overview {
  caller: Awaited<ReturnType<typeof callerOfAccount>>;
  /** The role of the person who looks. */
  role: Role;
  today: string;
  usage: Usage;
  /** The last days, the oldest first. */
  days: readonly DayUsage[];
  forecast: Forecast | null;
  feeds: readonly components["schemas"]["FeedOut"][];
  /** How many rows each live feed has in the plan's states. */
  rows: ReadonlyMap<string, number>;
  /** The sizes of live feeds by day, as far as the plan has all of their states. */
  sizes: ReadonlyMap<string, SizeHistory>;
  event: EventOut | null;
  keys: readonly KeyShown[];
  endpoints: components["schemas"]["WebhooksOut"];
  health: ReadonlyMap<number, EndpointHealth>;
  hasTested: boolean;
}

/** The figures that tell at a glance how the account is doing. */
export const figures = (context: EntryContext, seen: Overview): Html =>
  cards([
    rowsCard(context, seen),
    seen.caller.hasApiAccess && requestsCard(seen),
    feedsCard(seen),
    seen.caller.hasApiAccess && endpointsCard(context, seen),
    eventCard(context, seen),
  ]);

function rowsCard(context: EntryContext, { usage, forecast, days, today }: Overview): Card {
  const limit = usage.limits.api_rows_month;
  const title = "Rows this month";
  if (limit === 0) return { title, value: "none in this plan", hint: "Looking at rows here is free." };
  const left = shownCount(usage.limits.api_rows_left);
  return {
    title,
    isMain: true,
    picture: quotaBar({
      used: usage.usage.quota_rows,
      expected: forecast?.rows ?? null,
      limit,
      caption: `Rows used: ${shownCount(usage.usage.quota_rows)} of ${shownCount(limit)}, ${left} left`,
    }),
    value: html`${shownCount(usage.usage.quota_rows)} <small>of ${shownCount(limit)}</small>`,
    hint: html`${forecast && `${shownForecast(forecast)} ${forecastBasis(forecast)} `}<a href="${dashboardLink(context, "/usage")}">Usage</a>`,
    // The full days of the month.
    trend: byDay(days, today, rowsOf).slice(-Number(today.slice(8)), -1),
  };
}

function requestsCard({ days, today }: Overview): Card {
  const sumOf = (measure: (usage: DayUsage) => number) => days.reduce((sum, each) => sum + measure(each), 0);
  const [sent, errors] = [sumOf(sentRequests), sumOf(errorsOf)];
  const share = sent === 0 ? "" : ` (${shareOf(errors, sent)})`;
  return {
    title: `Requests in ${DAYS_SHOWN} days`,
    value: shownCount(sent),
    hint: errors === 0 ? "No errors." : `${shownCount(errors)} ${nounFor(errors, "error")}${share}.`,
    trend: byDay(days, today, sentRequests).slice(0, -1),
  };
}

function feedsCard({ feeds, today }: Overview): Card {
  const fresh = feeds.filter((feed) => feed.fresh).length;
  const notLive = feeds.filter((feed) => feed.as_of === null).length;
  const stale = feeds.length - fresh - notLive;
  const newest = feeds
    .flatMap(({ as_of }) => as_of ?? [])
    .sort()
    .at(-1);
  return {
    title: "Feeds",
    value: feeds.length === 0 ? "none in this plan" : html`${fresh} <small>of ${feeds.length} fresh</small>`,
    hint: [
      newest && `Newest data of ${shownDate(newest, today)}.`,
      stale > 0 && `${stale} stale, not served.`,
      notLive > 0 && `${notLive} not live yet.`,
    ]
      .filter(Boolean)
      .join(" "),
  };
}

function endpointsCard(context: EntryContext, { caller, role, endpoints: { data }, health }: Overview): Card {
  const title = "Webhook endpoints";
  if (data.length === 0) {
    const link = html`<a href="${dashboardLink(context, "/webhooks")}">Register one</a>`;
    const mayRegister = caller.suspension === null && mayDo(role, "register endpoints");
    const hint = html`They get events as they happen. ${mayRegister && link}`;
    return { title, value: "none yet", hint };
  }
  const {
    healthy = [],
    failing = [],
    unproven = [],
    paused = [],
  } = Object.groupBy(data, (each) => conditionOf(each, health.get(each.id)));
  return {
    title,
    value: html`${healthy.length} <small>of ${data.length} healthy</small>`,
    hint: [
      failing.length > 0 && `${failing.length} failing.`,
      unproven.length > 0 && `${unproven.length} accepted nothing yet.`,
      paused.length > 0 && `${paused.length} paused.`,
    ]
      .filter(Boolean)
      .join(" "),
  };
}

function eventCard(context: EntryContext, { event }: Overview): Card | false {
  if (event === null) return false;
  return {
    title: "Newest event",
    value: eventTypeLabel(event.type as EventType),
    hint: html`<a href="${dashboardLink(context, "/events")}?usdot=${event.usdot}">${eventSubject(event)}</a><br>${shownTime(event.detected_at)}`,
  };
}

/** Rows, and requests with their errors, by day. */
export function chartsPart({ caller, days, today }: Overview): Html | false {
  if (!caller.hasApiAccess && caller.rowsPerMonth === 0) return false;
  const title = html`<h2>Last ${DAYS_SHOWN} days</h2>`;
  if (days.length === 0) {
    return html`${title}
${emptyState({ title: "Nothing was used yet", text: "Rows and requests appear here, day by day." })}`;
  }
  const { hasApiAccess } = caller;
  return html`${title}
<div class="${hasApiAccess && "pair"}">
${rowsChart({ days, today, hasApiAccess, isHalf: hasApiAccess })}
${hasApiAccess && requestsChart({ days, today, isHalf: true })}</div>`;
}

/** The overview shows the endpoints that need a look first; the others are on their own page. */
const MOST_ENDPOINTS = 10;
const RANKS = ["failing", "paused", "unproven", "healthy"];

/** How each endpoint fared in the last seven days. Nothing for an account without any. */
export function endpointsPart(
  context: EntryContext,
  { endpoints: { data }, health }: Overview,
): Html | false {
  if (data.length === 0) return false;
  const rank = (endpoint: Endpoint) => RANKS.indexOf(conditionOf(endpoint, health.get(endpoint.id)));
  const shown = data.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_ENDPOINTS);
  const rest = data.length - shown.length;
  const all = dashboardLink(context, "/webhooks");
  return html`<h2>Webhook endpoints</h2>
${table({
  label: "Webhook endpoints",
  caption: "Deliveries of the last seven days.",
  rowsAreCards: true,
  rows: shown,
  columns: [{ head: "Endpoint", cell: (each) => linkedAddress(context, each) }, ...healthColumns(health)],
})}
${rest > 0 && html`<p><a href="${all}">${shownCount(rest)} more</a></p>`}`;
}

/** The plan, who is signed in, and signing out everywhere. */
export const accountPart = (
  context: EntryContext,
  session: Session,
  { planName, hasApiAccess, requestsPerMinute, licenceRef }: Overview["caller"],
): Html => html`<h2>Your plan</h2>
${facts([
  ["Plan", planName],
  ["API access", hasApiAccess ? "yes" : "no"],
  hasApiAccess && ["Requests a minute", `${shownCount(requestsPerMinute)} for each key`],
  ["Licence reference", html`<code>${licenceRef}</code>`],
  ["Signed in as", `${session.person.email}, ${session.person.role}`],
])}
<h2>Sign out everywhere</h2>
<p>Ends every session of ${session.person.email}, also this one. Keys go on working.</p>
<form method="post" action="${dashboardLink(context, "/sign-out-everywhere")}">
${formToken(session)}
<button class="quiet">Sign out everywhere</button>
</form>`;
