import type { Feed } from "../../../feeds/catalogue.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { shownCount } from "../../../platform/plural.ts";
import { dashboardLink } from "../../frame/links.ts";
import { freshnessBadge } from "../../kit/badge.ts";
import { type Html, html } from "../../kit/html.ts";
import { tabs } from "../../kit/navigation.ts";
import { emptyState } from "../../kit/notice.ts";
import { table } from "../../kit/table.ts";
import { columnTable } from "../parts/record-table.ts";
import { howToGetMore, noApiAccess, type PlanShown } from "../plan-note.ts";

export type FeedState = components["schemas"]["FeedOut"];

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

/** The address of a feed's page. */
export const feedLink = (context: EntryContext, { code }: Pick<FeedState, "code">): string =>
  dashboardLink(context, `/feeds/${code}`);

/** Whether a feed is fresh. */
export const shownFreshness = (feed: FeedState): Html => {
  if (feed.as_of === null) return freshnessBadge["not live"];
  return feed.fresh ? freshnessBadge.fresh : freshnessBadge.stale;
};

const shownRegions = ({ regions }: FeedState): string => regions?.join(", ") ?? "all states";

/** What every page of a feed shows first. */
export interface FeedHead {
  feed: Feed;
  state: FeedState;
  /** How many rows it has for the plan; undefined when it is not live. */
  rows: number | undefined;
}

/** The name of a feed, its state and its tabs. */
export const feedHead = (
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
