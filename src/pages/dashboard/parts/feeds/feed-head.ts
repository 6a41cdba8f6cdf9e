import type { Feed } from "../../../../feeds/catalogue.ts";
import type { components } from "../../../../generated/types.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { shownCount } from "../../../../platform/plural.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { freshnessBadge } from "../../../kit/badge.ts";
import { type Html, html } from "../../../kit/html.ts";
import { backTo, tabs } from "../../../kit/navigation.ts";

export type FeedState = components["schemas"]["FeedOut"];

/** The address of a feed's page. */
export const feedLink = (context: EntryContext, { code }: Pick<FeedState, "code">): string =>
  dashboardLink(context, `/feeds/${code}`);

/** Whether a feed is fresh. */
export const shownFreshness = (feed: FeedState): Html => {
  if (feed.as_of === null) return freshnessBadge["not live"];
  return feed.fresh ? freshnessBadge.fresh : freshnessBadge.stale;
};

/** The states in which the plan has a feed. */
export const shownRegions = ({ regions }: FeedState): string => regions?.join(", ") ?? "all states";

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
  tab: "rows" | "numbers" | "columns",
): Html => html`${backTo(dashboardLink(context, "/feeds"), "Feeds")}<h1>${feed.name}</h1>
<p>${shownFreshness(state)} <code>${feed.code}</code> · ${rows !== undefined && html`${shownCount(rows)} ${rows === 1 ? "row" : "rows"} · `}${state.as_of && html`as of <time>${state.as_of}</time> · `}refreshed: ${feed.cadence} · ${shownRegions(state)}</p>
${tabs("Feed", [
  { name: "Rows", href: feedLink(context, feed), isHere: tab === "rows" },
  { name: "In numbers", href: `${feedLink(context, feed)}/numbers`, isHere: tab === "numbers" },
  { name: "Columns", href: `${feedLink(context, feed)}/columns`, isHere: tab === "columns" },
])}`;
