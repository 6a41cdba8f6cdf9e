import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { isFresh, STALE_RETRY_AFTER_SECONDS } from "../../registry/freshness.ts";
import type { Feed } from "../catalogue.ts";

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
