import type { Caller } from "../accounts/keys/caller.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { FEEDS, type Feed, feedOf } from "./catalogue.ts";

/** A feed of the plan and the states it is limited to; null means every state. */
export interface EntitledFeed {
  feed: Feed;
  regions: readonly string[] | null;
}

/** The feed, if the caller's plan includes it. ProblemError not_entitled otherwise, also for an unknown feed. */
export function requireEntitled(caller: Caller, feedCode: string): EntitledFeed {
  const feed = feedOf(feedCode);
  const regions = caller.feeds.get(feedCode);
  if (feed && regions !== undefined) return { feed, regions };
  throw new ProblemError("not_entitled", `Your plan does not include ${feed?.code ?? "this feed"}.`);
}

/** The feeds of the caller's plan, in the catalogue's order. */
export const entitledFeeds = (caller: Caller): EntitledFeed[] =>
  FEEDS.flatMap((feed) => {
    const regions = caller.feeds.get(feed.code);
    return regions === undefined ? [] : [{ feed, regions }];
  });
