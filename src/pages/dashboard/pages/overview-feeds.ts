import type { SizeHistory } from "../../../feeds/versions/feeds-list.ts";
import { lastDays } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { shownCount } from "../../../platform/plural.ts";
import { shownDay } from "../../../platform/shown-day.ts";
import { dashboardLink } from "../../frame/links.ts";
import { trendLine } from "../../kit/chart.ts";
import { type Html, html } from "../../kit/html.ts";
import { table } from "../../kit/table.ts";
import { DAYS_SHOWN } from "../parts/charts/usage-charts.ts";
import { shownFreshness } from "../parts/feeds/feed-head.ts";
import type { Overview } from "./overview-parts.ts";

/** How fresh each feed of the plan is, and how its size went. */
export function feedsPart(context: EntryContext, { feeds, rows, sizes, today }: Overview): Html | false {
  if (feeds.length === 0) return false;
  return html`<h2>Feeds</h2>
${table({
  label: "Feeds",
  rowsAreCards: true,
  rows: feeds,
  columns: [
    {
      head: "Feed",
      cell: ({ code, name }) => html`<a href="${dashboardLink(context, `/feeds/${code}`)}">${name}</a>`,
    },
    { head: "State", isStatus: true, cell: shownFreshness },
    { head: "As of", cell: ({ as_of }) => as_of && html`<time>${as_of}</time>` },
    { head: "Rows", cell: ({ code }) => rows.get(code), isNumber: true },
    { head: `${DAYS_SHOWN} days`, cell: ({ code }) => sizeTrend(sizes.get(code), today) },
  ],
})}
${sizeTable(feeds, sizes)}`;
}

/** So many days make a line that says something. */
const FEWEST_POINTS = 7;

/** The change in words, below a line with each size at its day once there are enough. */
function sizeTrend(size: SizeHistory | undefined, today: string): Html | null {
  const [first, last] = [size?.[0], size?.at(-1)];
  if (!size || !first || !last || first === last) return null;
  const change = last.rows - first.rows;
  const words = change === 0 ? "no change" : `${change > 0 ? "+" : "−"}${shownCount(Math.abs(change))}`;
  const rowsOn = new Map(size.map(({ day, rows }) => [day, rows]));
  const points = lastDays(today, DAYS_SHOWN).map((day) => rowsOn.get(day) ?? null);
  return html`${size.length >= FEWEST_POINTS && trendLine(points, "least")}<span class="hint">${words} since ${shownDay(first.day)}</span>`;
}

/** The rows of each feed by day, for everybody who needs the numbers behind the lines. */
function sizeTable(feeds: Overview["feeds"], sizes: Overview["sizes"]): Html | false {
  const live = feeds.filter(({ code }) => sizes.has(code));
  const days = [...new Set([...sizes.values()].flatMap((known) => known.map(({ day }) => day)))];
  if (days.length < 2) return false;
  const rowsOn = new Map(
    [...sizes].map(([code, size]) => [code, new Map(size.map(({ day, rows }) => [day, rows]))]),
  );
  return html`<details>
<summary>Rows of each feed by day as a table</summary>
${table({
  label: "Rows of each feed by day",
  isDense: true,
  rows: days.sort().toReversed(),
  columns: [
    { head: "As of", cell: (day) => day },
    ...live.map(({ code, name }) => ({
      head: name,
      isNumber: true,
      cell: (day: string) => rowsOn.get(code)?.get(day),
    })),
  ],
})}</details>`;
}
