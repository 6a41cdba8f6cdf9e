import { type CountAnswer, countRecords } from "../../../feeds/records/count.ts";
import { listFeedVersions, type VersionsAnswer } from "../../../feeds/sync/steps.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { countOf, shownCount } from "../../../platform/plural.ts";
import { barChart } from "../../kit/chart.ts";
import { type Html, html } from "../../kit/html.ts";
import { lineChart } from "../../kit/line-chart.ts";
import { emptyState, errorNotice } from "../../kit/notice.ts";
import { table } from "../../kit/table.ts";
import { sendPage } from "../dashboard-page.ts";
import { type FeedHead, feedHead, feedLink } from "../parts/feeds/feed-head.ts";
import { statesFigure } from "../parts/feeds/states-figure.ts";
import { problemOf } from "../problem-page.ts";
import type { Routes } from "../signed-in.ts";
import { feedOfPlan } from "./feed-rows.ts";

/** How many versions the charts show: about a month of a feed that is published daily. */
const VERSIONS_SHOWN = 30;

/** Routes the pictures of a feed: where its companies are, and how its size went. */
export const feedNumberRoutes: Routes = (pages, context) => {
  pages.get("/feeds/:code/numbers", async (request, response, session) => {
    const { caller, ...head } = await feedOfPlan(context, session, String(request.params.code));
    const { code } = head.feed;
    const isLive = head.state.as_of !== null;
    const [states, versions] = await Promise.all([
      isLive
        ? orProblem(() => countRecords(context, caller, code, { by: "state", filters: new Map() }))
        : null,
      isLive ? listFeedVersions(context, caller, code, { limit: VERSIONS_SHOWN }) : null,
    ]);
    const body = html`${feedHead(context, head, "numbers")}
${
  states === null || versions === null
    ? NOT_LIVE
    : html`${statesPart(context, head, states)}
${sizePart(versions)}`
}`;
    sendPage(context, response, { title: `${head.feed.name}: in numbers`, body, session, here: "/feeds" });
  });
};

const NOT_LIVE = emptyState({
  title: "This feed is not live yet",
  text: "Its numbers appear here when it is published.",
});

/** The answer, or what a person is told instead, for example of stale data. */
async function orProblem<Answer>(ask: () => Promise<Answer>): Promise<Answer | { detail: string }> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProblemError) return problemOf(error);
    throw error;
  }
}

function statesPart(
  context: EntryContext,
  { feed }: FeedHead,
  counted: CountAnswer | { detail: string },
): Html {
  if ("detail" in counted) return html`<h2>By state</h2>\n${errorNotice(counted.detail)}`;
  const { rows, by, as_of } = counted;
  const linked = (state: string) => html`<a href="${feedLink(context, feed)}?state=${state}">${state}</a>`;
  return html`<h2>By state</h2>
${statesFigure({ rows, by: by ?? [], as_of }, linked)}`;
}

/** The size of the newest version of each day, and what the day's versions added and removed. */
function sizePart({ data }: VersionsAnswer): Html | false {
  const days = [...Map.groupBy(data, ({ as_of }) => as_of)]
    .map(([day, versions]) => ({
      day,
      rows: versions[0]?.rows ?? 0,
      added: sumOf(versions, "added"),
      changed: sumOf(versions, "changed"),
      removed: sumOf(versions, "removed"),
    }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  if (days.length < 2) return html`<h2>Size</h2>\n<p>How the size went is shown from the second day on.</p>`;
  return html`<h2>Size</h2>
<p>In your plan's states, on the days of the last ${countOf(data.length, "version")}. An update removes a row when the business no longer
belongs to the feed.</p>
${rowsByDay(days)}
${barChart({
  title: "Rows added and removed",
  none: "No row was added or removed.",
  nameOfBars: "As of",
  series: [
    { name: "added", tone: "good" },
    { name: "removed", tone: "bad", isBelow: true },
  ],
  bars: days.flatMap(({ day, added, removed }) =>
    added === null || removed === null ? [] : [{ name: day, values: [added, removed] }],
  ),
})}
<details>
<summary>Size by day as a table</summary>
${table({
  label: "Size by day",
  isDense: true,
  rows: days.toReversed(),
  columns: [
    { head: "As of", cell: ({ day }) => day },
    { head: "Rows", cell: ({ rows }) => rows, isNumber: true },
    { head: "Added", cell: ({ added }) => added, isNumber: true },
    { head: "Changed", cell: ({ changed }) => changed, isNumber: true },
    { head: "Removed", cell: ({ removed }) => removed, isNumber: true },
  ],
})}</details>`;
}

function rowsByDay(days: readonly { day: string; rows: number }[]): Html {
  const points = days.map(({ day, rows }) => ({ name: day, value: rows }));
  const [first, last] = [points[0], points.at(-1)];
  return lineChart({
    title: "Rows by day",
    names: days.map(({ day }) => day),
    lines: [{ name: "rows", tone: "accent", points }],
    caption:
      first && last
        ? `Rows by day: ${shownCount(first.value)} on ${first.name}, ${shownCount(last.value)} on ${last.name}`
        : "Rows by day: none",
  });
}

type Version = VersionsAnswer["data"][number];

/** Null when one of the versions can't be compared with the one before. */
const sumOf = (versions: readonly Version[], name: "added" | "changed" | "removed"): number | null =>
  versions.reduce<number | null>((sum, version) => {
    const value = version[name];
    return sum === null || value === null ? null : sum + value;
  }, 0);
