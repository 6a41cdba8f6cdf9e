import { dayNumber, dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import type { Feed } from "../catalogue.ts";

/** How soon to ask again: an import that is running is done by then. */
const RETRY_AFTER_SECONDS = 600;

/** Whether data of the day `asOf` may be served: at most the feed's limit of days older than today (UTC). */
export const isFresh = (context: Context, feed: Feed, asOf: string): boolean =>
  dayNumber(dayOf(context.clock.now())) - dayNumber(asOf) <= feed.freshnessDays;

/** ProblemError stale_source when data of the day `asOf` is too old to be served. */
export function requireFresh(context: Context, feed: Feed, asOf: string): void {
  if (isFresh(context, feed, asOf)) return;
  throw new ProblemError(
    "stale_source",
    `The status checks behind ${feed.code} are being refreshed: they are of ${asOf}, and stale records are never ` +
      "served. Try again later.",
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
