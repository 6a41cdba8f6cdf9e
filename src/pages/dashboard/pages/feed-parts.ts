import type { Feed, FilterName } from "../../../feeds/catalogue.ts";
import type { ExportFormat } from "../../../feeds/export/format.ts";
import type { components } from "../../../generated/types.ts";
import { dayOf, monthAfter } from "../../../platform/clock.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { countOf, shownCount } from "../../../platform/plural.ts";
import { dashboardLink } from "../../frame/links.ts";
import { freshnessBadge } from "../../kit/badge.ts";
import { type Mistake, mistakeList } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { tabs } from "../../kit/navigation.ts";
import { emptyState, errorNotice, notice } from "../../kit/notice.ts";
import { table } from "../../kit/table.ts";
import { filterField } from "../parts/filter-fields.ts";
import { columnTable, recordTable } from "../parts/record-table.ts";
import { feedWarnings, shownWarning } from "../parts/warnings.ts";
import { howToGetMore, noApiAccess, ownProgramPart, type PlanShown } from "../plan-note.ts";
import type { ShownProblem } from "../problem-page.ts";

/** How many rows a feed's page shows. */
export const PREVIEW_ROWS = 20;

const FORMAT_NAMES = { csv: "CSV", ndjson: "NDJSON", parquet: "Parquet" } satisfies Record<
  ExportFormat,
  string
>;

/** The formats that a feed's page offers for download. */
export const EXPORT_FORMATS = Object.keys(FORMAT_NAMES) as ExportFormat[];

type FeedState = components["schemas"]["FeedOut"];
export type FeedRecords = components["schemas"]["RecordsOut"];

/** The list of the plan's feeds. `rows` has the size of each live feed. */
export const feedsPage = (
  context: EntryContext,
  plan: PlanShown,
  feeds: readonly FeedState[],
  rows: ReadonlyMap<string, number>,
): Html => html`<h1>Feeds</h1>
${noApiAccess(context, plan)}
${
  feeds.length === 0
    ? emptyState({ title: "Your plan includes no feed", text: howToGetMore(context, plan) })
    : table({
        label: "Feeds",
        rows: feeds,
        columns: [
          {
            head: "Feed",
            cell: (feed) =>
              html`<a href="${feedLink(context, feed)}">${feed.name}</a><br><code>${feed.code}</code>`,
          },
          {
            head: "Rows",
            cell: ({ code }) => rows.get(code),
            isNumber: true,
            meaning: "In your plan's states",
          },
          { head: "State", cell: shownFreshness },
          {
            head: "As of",
            cell: ({ as_of }) => as_of && html`<time>${as_of}</time>`,
            meaning: "The registry's day",
          },
          { head: "Published", cell: ({ cadence }) => cadence },
          { head: "States", cell: shownRegions },
        ],
      })
}`;

const feedLink = (context: EntryContext, { code }: Pick<FeedState, "code">): string =>
  dashboardLink(context, `/feeds/${code}`);

/** Whether a feed is fresh. */
export const shownFreshness = (feed: FeedState): Html => {
  if (feed.as_of === null) return freshnessBadge["not live"];
  return feed.fresh ? freshnessBadge.fresh : freshnessBadge.stale;
};

const shownRegions = ({ regions }: FeedState): string => regions?.join(", ") ?? "all states";

/** What every page of a feed shows first. */
interface FeedHead {
  feed: Feed;
  state: FeedState;
  /** How many rows it has for the plan; undefined when it is not live. */
  rows: number | undefined;
}

const feedHead = (
  context: EntryContext,
  { feed, state, rows }: FeedHead,
  tab: "rows" | "columns",
): Html => html`<p><a href="${dashboardLink(context, "/feeds")}">All feeds</a></p>
<h1>${feed.name}</h1>
<p>${shownFreshness(state)} <code>${feed.code}</code> · ${rows !== undefined && html`${shownCount(rows)} ${rows === 1 ? "row" : "rows"} · `}${state.as_of && html`as of <time>${state.as_of}</time> · `}published ${feed.cadence} · ${shownRegions(state)}</p>
${tabs("Feed", [
  { name: "Rows", href: feedLink(context, feed), isHere: tab === "rows" },
  { name: "Columns", href: `${feedLink(context, feed)}/columns`, isHere: tab === "columns" },
])}`;

/** The page that explains a feed's columns. */
export const columnsPage = (
  context: EntryContext,
  plan: PlanShown,
  head: FeedHead,
): Html => html`${feedHead(context, head, "columns")}
${noApiAccess(context, plan)}
<p>JSON members and CSV cells come in this order. New columns are added at the end.</p>
${columnTable(head.feed)}`;

type Asked = ReadonlyMap<FilterName | "since", string>;

/** What a download of the rows that a page shows would charge. */
export interface Download {
  /** The rows left in the month's quota. */
  left: number;
  /** How many rows the file has; null when they are not known. */
  rows: number | null;
  charge: number;
}

interface FeedPage extends FeedHead {
  asked: Asked;
  /** What is wrong with what is asked. */
  mistakes: readonly Mistake[];
  /** Null when the feed is not live or stale, or something is wrong. */
  result: FeedRecords | ShownProblem | null;
  /** Null when the plan has no downloads. */
  download: Download | null;
}

/** The page of a feed's rows. */
export function feedPage(context: EntryContext, plan: PlanShown, page: FeedPage): Html {
  const { feed, asked } = page;
  const search = new URLSearchParams([...asked]).toString();
  return html`${feedHead(context, page, "rows")}
${noApiAccess(context, plan)}
${page.state.fresh ? rowsPart(context, plan, page) : notServed(context, page)}
${
  plan.hasApiAccess &&
  ownProgramPart(context, {
    path: `/v1/feeds/${feed.code}/records${search === "" ? "" : `?${search}`}`,
    cost: "Each row of the answer charges one row of the month's quota. A page that has not changed since you read it is free, when you send its ETag.",
  })
}`;
}

const notServed = (context: EntryContext, { state }: FeedPage): Html | Html[] =>
  state.as_of === null
    ? emptyState({
        title: "This feed is not live yet",
        text: "It is in your plan. Its rows appear here when it is published; you need not do anything.",
      })
    : feedWarnings(context, [state]).map(shownWarning);

const rowsPart = (
  context: EntryContext,
  plan: PlanShown,
  { feed, asked, mistakes, result, download }: FeedPage,
): Html => html`${mistakeList("No rows are shown.", mistakes)}
${filterForm(context, feed, { asked, mistakes, download })}
<p class="hint">Looking at rows here is free. ${download && downloadCost(context, download)}</p>
${download && isTooLarge(download) && tooLarge(context, plan, download)}
<p id="download-state" role="status"></p>
${result && resultOf(context, feed, asked, result)}`;

function filterForm(
  context: EntryContext,
  feed: Feed,
  { asked, mistakes, download }: Pick<FeedPage, "asked" | "mistakes" | "download">,
): Html {
  const here = feedLink(context, feed);
  const isUsedUp = download !== null && download.left === 0 && isTooLarge(download);
  return html`<form method="get" action="${here}">
<div class="fields">
${[...feed.allowedFilters, "since" as const].map((name) => filterField(feed, name, { value: asked.get(name) ?? "", mistakes }))}</div>
<p class="row actions"><button>Show ${PREVIEW_ROWS} rows</button>
${download && EXPORT_FORMATS.map((format) => html`<button class="quiet" formaction="${here}/export.${format}" data-download${isUsedUp && html` disabled`}>Download as ${FORMAT_NAMES[format]}</button>\n`)}<a class="button quiet" href="${here}">Clear</a></p>
</form>`;
}

/** What a download of the shown rows and those behind them has and charges. */
const downloadCost = (context: EntryContext, { rows, charge, left }: Download): Html =>
  html`${rows !== null && html`A download has all <strong>${countOf(rows, "row")}</strong> that match, and charges ${charge === rows ? "them" : html`<strong>${countOf(charge, "row")}</strong>`} to the month's quota.`}
${countOf(left, "row")} ${left === 1 ? "is" : "are"} left: see <a href="${dashboardLink(context, "/usage")}">Usage</a>. The same rows are charged once a month, in whatever format.`;

const isTooLarge = ({ charge, left }: Download): boolean => charge > left;

/** That a download would be refused, and what can be done. */
function tooLarge(context: EntryContext, plan: PlanShown, { left }: Download): Html {
  const until = monthAfter(dayOf(context.clock.now()));
  const [what, remedy] =
    left === 0
      ? ["All rows of this month are used.", `Downloads are refused until ${until} (UTC).`]
      : ["A download of these rows is refused.", `Filter for fewer rows, or wait until ${until} (UTC).`];
  return notice("bad", html`<strong>${what}</strong> ${remedy} ${howToGetMore(context, plan)}`);
}

function resultOf(context: EntryContext, feed: Feed, asked: Asked, result: FeedRecords | ShownProblem): Html {
  if ("detail" in result) return errorNotice(result.detail);
  if (result.data.length === 0) {
    return asked.size > 0
      ? emptyState({
          title: "No record matches",
          text: "No row of this feed passes all of your filters.",
          action: html`<a class="button quiet" href="${feedLink(context, feed)}">Clear the filters</a>`,
        })
      : emptyState({
          title: "This feed is empty",
          text: `No business is in it for your plan as of ${result.as_of}.`,
        });
  }
  const shown = countOf(result.data.length, "row");
  return html`<h2>Rows</h2>
<p>${result.has_more ? `The first ${shown}; there are more.` : `${shown}; there are no more.`} As of <time>${result.as_of}</time>.</p>
${recordTable(feed, result.data, (usdot) => dashboardLink(context, `/carriers/${usdot}`))}`;
}
