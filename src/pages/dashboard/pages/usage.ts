import { callerOfAccount } from "../../../accounts/keys/account-caller.ts";
import { WARN_AT_PERCENT } from "../../../accounts/usage/quota-warnings.ts";
import { readUsage, type Usage } from "../../../accounts/usage/usage.ts";
import {
  type DayUsage,
  type MonthUsage,
  usageByDay,
  usageByMonth,
} from "../../../accounts/usage/usage-history.ts";
import { addDays, dayOf } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { dashboardLink } from "../../frame/links.ts";
import { barChart } from "../../kit/chart.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownCount } from "../../kit/number.ts";
import type { Routes } from "../dashboard.ts";
import { sendPage } from "../layout.ts";
import { queryOf } from "../parts/form-fields.ts";
import { noApiAccess, type PlanShown } from "../parts/plan-note.ts";
import { percentUsed, quotaWarnings, shownWarning } from "../parts/warnings.ts";

/** How many days the charts show. */
const DAYS_SHOWN = 30;

/** Routes the usage page: this month and its limits, the last days by key, the last months. */
export const usageRoutes: Routes = (router, context, guard) => {
  router.get(
    "/usage",
    guard(async (request, response, session) => {
      const caller = await callerOfAccount(context, session.accountId);
      const [usage, days, months] = await Promise.all([
        readUsage(context, caller),
        usageByDay(context, session.accountId, DAYS_SHOWN),
        usageByMonth(context, session.accountId),
      ]);
      const body = html`<h1>Usage</h1>
${noApiAccess(context, caller)}
${thisMonth(context, caller, usage)}
<h2>Last ${DAYS_SHOWN} days</h2>
${days.length === 0 ? html`<p>Nothing was used.</p>` : chartsOf(days, { today: dayOf(context.clock.now()), keyId: queryOf(request).get("key") ?? "", place: dashboardLink(context, "/usage") })}
<h2>Last twelve months</h2>
${months.length === 0 ? html`<p>Nothing was used.</p>` : monthTable(months)}`;
      sendPage(context, response, { title: "Usage", body, session, here: "/usage" });
    }),
  );
};

function thisMonth(context: EntryContext, plan: PlanShown, used: Usage): Html {
  const { month_start, usage, limits } = used;
  return html`<h2>This month</h2>
<p>Since ${month_start}. Months and days are in UTC.</p>
${quotaWarnings(context, plan, used).map(shownWarning)}
${limits.api_rows_month === 0 ? html`<p>Your plan has no rows to read or download. Looking at rows in the dashboard is free.</p>` : quotaMeter(used)}
<dl class="facts">
${plan.hasApiAccess && html`<div><dt>API rows</dt><dd>${shownCount(usage.api_rows)}</dd></div>`}
<div><dt>Export rows</dt><dd>${shownCount(usage.export_rows)}</dd></div>
${
  plan.hasApiAccess &&
  html`<div><dt>Requests</dt><dd>${shownCount(usage.api_requests)}</dd></div>
<div><dt>Rate limit</dt><dd>${shownCount(limits.api_rpm)} a minute for each key</dd></div>
<div><dt>Exports at once</dt><dd>${shownCount(limits.concurrent_exports)} for each key</dd></div>`
}
</dl>`;
}

function quotaMeter({ usage, limits }: Usage): Html {
  const percent = percentUsed({ usage, limits });
  return html`<p><label for="quota">Rows used: ${shownCount(usage.quota_rows)} of ${shownCount(limits.api_rows_month)} (${percent} %), ${shownCount(limits.api_rows_left)} left</label>
<meter id="quota" min="0" max="${Math.max(1, limits.api_rows_month)}" high="${(limits.api_rows_month * WARN_AT_PERCENT[0]) / 100}" value="${usage.quota_rows}"></meter></p>`;
}

const MEASURES = [
  ["apiRows", "API rows"],
  ["exportRows", "Export rows"],
  ["requests", "Requests"],
] as const;

function chartsOf(
  days: readonly DayUsage[],
  { today, keyId, place }: { today: string; keyId: string; place: string },
): Html {
  const keys = [...Map.groupBy(days, (each) => each.keyId).values()];
  const isKnown = keys.some(([first]) => first?.keyId === keyId);
  const charted = isKnown ? days.filter((each) => each.keyId === keyId) : days;
  const shownDays = Array.from({ length: DAYS_SHOWN }, (_, index) => addDays(today, index + 1 - DAYS_SHOWN));
  const charts = MEASURES.map(([measure, name]) =>
    barChart({
      title: name,
      nameOfBars: "Day",
      series: [{ name, tone: "accent" }],
      bars: shownDays.map((day) => ({
        name: day,
        values: [charted.filter((each) => each.day === day).reduce((sum, each) => sum + each[measure], 0)],
      })),
    }),
  );
  return html`<form class="row" method="get" action="${place}">
<div class="field"><label for="key">Key</label>
<select id="key" name="key"><option value="">all keys</option>${keys.map(([first]) => html`<option value="${first?.keyId}"${first?.keyId === keyId && html` selected`}>${first?.keyName}</option>`)}</select></div>
<button class="quiet">Show</button>
</form>
${charts}
<details>
<summary>The same as a table, by key</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Usage by day and key">
<table>
<thead><tr><th scope="col">Day</th><th scope="col">Key</th>${MEASURES.map(([, name]) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>
${days.toReversed().map(
  (
    each,
  ) => html`<tr><td>${each.day}</td><td>${each.keyName}</td>${MEASURES.map(([measure]) => html`<td class="number">${shownCount(each[measure])}</td>`)}</tr>
`,
)}</tbody>
</table>
</div>
</details>
<h3>By key</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Usage by key">
<table>
<caption>Sums of the last ${DAYS_SHOWN} days</caption>
<thead><tr><th scope="col">Key</th>${MEASURES.map(([, name]) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>
${keys.map(
  (
    ofKey,
  ) => html`<tr><td>${ofKey[0]?.keyName}</td>${MEASURES.map(([measure]) => html`<td class="number">${shownCount(ofKey.reduce((sum, each) => sum + each[measure], 0))}</td>`)}</tr>
`,
)}</tbody>
</table>
</div>`;
}

const monthTable = (
  months: readonly MonthUsage[],
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="Usage by month">
<table>
<thead><tr><th scope="col">Month</th><th scope="col" class="number">API rows</th><th scope="col" class="number">Export rows</th><th scope="col" class="number">Rows against the quota</th><th scope="col" class="number">Requests</th></tr></thead>
<tbody>
${months.map(
  (
    each,
  ) => html`<tr><td>${each.month.slice(0, 7)}</td><td class="number">${shownCount(each.apiRows)}</td><td class="number">${shownCount(each.exportRows)}</td><td class="number">${shownCount(each.quotaRows)}</td><td class="number">${shownCount(each.requests)}</td></tr>
`,
)}</tbody>
</table>
</div>`;
