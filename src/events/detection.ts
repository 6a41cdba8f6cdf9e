import * as sql from "../generated/sql/events.ts";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { FRESHNESS_DAYS, isFresh, STALE_RETRY_AFTER_SECONDS } from "../registry/freshness.ts";

/** The newest finished run of event detection, and the as-of day of the registry it read. */
export interface Detection {
  finishedAt: Date;
  asOf: string;
}

/** The newest finished detection; null before the first. */
export async function newestDetection({ db }: Pick<Context, "db">): Promise<Detection | null> {
  const row = await sql.newestDetection(db.pool);
  return row ?? null;
}

/** Whether events of this detection may be served. */
export const isFreshDetection = (context: Context, detection: Detection | null): boolean =>
  detection !== null && isFresh(context, detection.asOf);

/** Returns the detection. Throws ProblemError stale_source if its registry is too old or there was no detection. */
export function requireFreshDetection(context: Context, detection: Detection | null): Detection {
  if (detection !== null && isFreshDetection(context, detection)) return detection;
  const state =
    detection === null
      ? "No day of the registry has been checked for events yet."
      : `The newest check for events read the registry of ${detection.asOf}.`;
  throw new ProblemError(
    "stale_source",
    `${state} Events are served only while that day is at most ${FRESHNESS_DAYS} days ago. Try again later: your ` +
      "cursor stays valid.",
    { retryAfterSeconds: STALE_RETRY_AFTER_SECONDS },
  );
}
