import type { EntryContext } from "../../../platform/context.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState } from "../../kit/notice.ts";
import { table } from "../../kit/table.ts";
import {
  type FeedHead,
  type FeedState,
  feedHead,
  feedLink,
  shownFreshness,
  shownRegions,
} from "../parts/feeds/feed-head.ts";
import { columnTable } from "../parts/feeds/record-table.ts";
import { howToGetMore, noApiAccess, type PlanShown } from "../plan-note.ts";

/** The list of the plan's feeds. `rows` has the size of each live feed; `top` is shown first. */
export const feedsPage = (
  context: EntryContext,
  plan: PlanShown,
  feeds: readonly FeedState[],
  rows: ReadonlyMap<string, number>,
  top: Html | null,
): Html => html`<h1>Feeds</h1>
${top}
${noApiAccess(context, plan)}
${
  feeds.length === 0
    ? emptyState({ title: "Your plan includes no feed", text: howToGetMore(context, plan) })
    : table({
        label: "Feeds",
        rowsAreCards: true,
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
          { head: "State", isStatus: true, cell: shownFreshness },
          {
            head: "As of",
            cell: ({ as_of }) => as_of && html`<time>${as_of}</time>`,
            meaning: "The registry's day",
          },
          { head: "Refreshed", cell: ({ cadence }) => cadence },
          { head: "States", cell: shownRegions },
        ],
      })
}`;

/** The page that explains a feed's columns. */
export const columnsPage = (
  context: EntryContext,
  plan: PlanShown,
  head: FeedHead,
): Html => html`${feedHead(context, head, "columns")}
${noApiAccess(context, plan)}
<p>JSON members and CSV cells come in this order. New columns are added at the end.</p>
${columnTable(head.feed)}`;
