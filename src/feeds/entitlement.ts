import type { Caller } from "../accounts/keys/caller.ts";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { isFresh, STALE_RETRY_AFTER_SECONDS } from "../registry/freshness.ts";
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

/** ProblemError stale_source when the feed's data as of `asOf` is too old to be served. */
export function requireFresh(context: Context, feed: Feed, asOf: string): void {
  if (isFresh(context, asOf)) return;
  throw new ProblemError(
    "stale_source",
    `The status checks behind ${feed.code} are stale: they are of ${asOf}. Stale records are never served. ` +
      "Try again later.",
    { retryAfterSeconds: STALE_RETRY_AFTER_SECONDS },
  );
}
