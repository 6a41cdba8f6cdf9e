import { callerOfAccount } from "../../../accounts/keys/caller.ts";
import { quotaByDay } from "../../../accounts/usage/quota-days.ts";
import {
  type DayUsage,
  forecastOf,
  type MonthUsage,
  readUsage,
  usageByDay,
  usageByMonth,
} from "../../../accounts/usage/usage.ts";
import { dayOf } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { percentOf, shownCount } from "../../../platform/plural.ts";
import { shownDay } from "../../../platform/shown-day.ts";
import { dashboardLink } from "../../frame/links.ts";
import { cards } from "../../kit/card.ts";
import { quotaBar } from "../../kit/chart.ts";
import { choice } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState } from "../../kit/notice.ts";
import { type Column, table } from "../../kit/table.ts";
import { sendPage } from "../dashboard-page.ts";
import { type Month, quotaChart } from "../parts/charts/quota-chart.ts";
import {
  DAYS_SHOWN,
  errorsOf,
  requestsChart,
  rowsChart,
  sentRequests,
} from "../parts/charts/usage-charts.ts";
import { queryOf } from "../parts/form-fields.ts";
import { forecastBasis, shownForecast } from "../parts/quota-forecast.ts";
import { quotaWarnings, shownWarning } from "../parts/warnings.ts";
import { noApiAccess, type PlanShown } from "../plan-note.ts";
import type { Routes } from "../signed-in.ts";

/** Routes the usage page: this month and its limits, the last days by key, the last months. */
export const usageRoutes: Routes = (pages, context) => {
  pages.get("/usage", async (request, response, session) => {
    const plan = await callerOfAccount(context, session.accountId);
    const [usage, days, months] = await Promise.all([
      readUsage(context, plan),
      usageByDay(context, session.accountId, DAYS_SHOWN),
      usageByMonth(context, session.accountId),
    ]);
    const today = dayOf(context.clock.now());
    const keyId = queryOf(request).get("key") ?? "";
    const body = html`<h1>Usage</h1>
${noApiAccess(context, plan)}
${thisMonth(context, plan, { ...usage, forecast: forecastOf(today, usage, days), quotaDays: quotaByDay(today, usage, days) })}
<h2>Last ${DAYS_SHOWN} days</h2>
${days.length === 0 ? NOTHING_USED : lastDays(days, { plan, today, keyId, address: dashboardLink(context, "/usage") })}
<h2>Last twelve months</h2>
${months.length === 0 ? NOTHING_USED : monthTable(months)}`;
    sendPage(context, response, { title: "Usage", body, session, here: "/usage" });
  });
};

const NOTHING_USED = emptyState({
  title: "Nothing was used",
  text: "Rows of the API and of exports, and requests, appear here by day and key. Looking at rows in the dashboard is free.",
});

function thisMonth(context: EntryContext, plan: PlanShown, used: Month): Html {
  const { month_start, usage, limits } = used;
  return html`<h2>This month</h2>
<p>Since ${shownDay(month_start)}. Months and days are in UTC.</p>
${quotaWarnings(context, plan, used).map(shownWarning)}
${limits.api_rows_month === 0 ? html`<p>Your plan has no rows to read or download. Looking at rows in the dashboard is free.</p>` : quotaMeter(used)}
${cards([
  plan.hasApiAccess && { title: "API rows", value: shownCount(usage.api_rows) },
  { title: "Export rows", value: shownCount(usage.export_rows) },
  plan.hasApiAccess && { title: "Requests", value: shownCount(usage.api_requests) },
  plan.hasApiAccess && {
    title: "Rate limit",
    value: html`${shownCount(limits.api_rpm)} <small>requests a minute</small>`,
    hint: "For each key.",
  },
  plan.hasApiAccess && {
    title: "Exports at once",
    value: shownCount(limits.concurrent_exports),
    hint: "For each key.",
  },
])}
${limits.api_rows_month > 0 && usage.quota_rows > 0 && quotaChart(used)}`;
}

function quotaMeter({ usage, limits, forecast }: Month): Html {
  const caption = `Rows used: ${shownCount(usage.quota_rows)} of ${shownCount(limits.api_rows_month)} (${percentOf(usage.quota_rows, limits.api_rows_month)}), ${shownCount(limits.api_rows_left)} left`;
  const expected = forecast?.rows ?? null;
  return html`<p>${caption}</p>
${quotaBar({ used: usage.quota_rows, expected, limit: limits.api_rows_month, caption })}
<p class="hint">${forecast && `${shownForecast(forecast)} ${forecastBasis(forecast)}`}</p>`;
}

const MEASURES: readonly (readonly [name: string, measure: (usage: DayUsage) => number])[] = [
  ["API rows", ({ apiRows }) => apiRows],
  ["Export rows", ({ exportRows }) => exportRows],
  ["Requests", sentRequests],
  ["Errors", errorsOf],
];

/** A column for each measure, of one usage or the sum of several. */
const measureColumns = (): Column<readonly DayUsage[]>[] =>
  MEASURES.map(([head, measure]) => ({
    head,
    isNumber: true,
    cell: (usages) => usages.reduce((sum, each) => sum + measure(each), 0),
  }));

function lastDays(
  days: readonly DayUsage[],
  { plan, today, keyId, address }: { plan: PlanShown; today: string; keyId: string; address: string },
): Html {
  const keys = [...Map.groupBy(days, (each) => each.keyId).values()];
  const isKnown = keys.some(([first]) => first?.keyId === keyId);
  const shown = { days: isKnown ? days.filter((each) => each.keyId === keyId) : days, today };
  const known = keys.map(([first]) => [first?.keyId ?? "", first?.keyName ?? ""] as const);
  return html`<form class="row" method="get" action="${address}">
${choice({ name: "key", label: "Key", value: isKnown ? keyId : "", choices: [["", "all keys"], ...known] })}
<button class="quiet">Show</button>
</form>
${rowsChart({ ...shown, hasApiAccess: plan.hasApiAccess })}
${plan.hasApiAccess && requestsChart(shown)}
<h3>By key</h3>
${table({
  label: "Usage by key",
  caption: `Sums of the last ${DAYS_SHOWN} days. Requests include those that the rate limit refused.`,
  rows: keys,
  columns: [{ head: "Key", cell: ([first]) => first?.keyName }, ...measureColumns()],
})}
<details>
<summary>By day and key as a table</summary>
${table({
  label: "Usage by day and key",
  isDense: true,
  rows: days.toReversed().map((each) => [each]),
  columns: [
    { head: "Day", cell: ([each]) => each?.day },
    { head: "Key", cell: ([each]) => each?.keyName },
    ...measureColumns(),
  ],
})}</details>`;
}

const monthTable = (months: readonly MonthUsage[]): Html =>
  table({
    label: "Usage by month",
    isDense: true,
    caption: "Requests that the rate limit refused are not counted.",
    rows: months,
    columns: [
      { head: "Month", cell: ({ month }) => month.slice(0, 7) },
      { head: "API rows", cell: ({ apiRows }) => apiRows, isNumber: true },
      { head: "Export rows", cell: ({ exportRows }) => exportRows, isNumber: true },
      { head: "Rows against the quota", cell: ({ quotaRows }) => quotaRows, isNumber: true },
      { head: "Requests", cell: ({ requests }) => requests, isNumber: true },
    ],
  });
