import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { isFresh, STALE_RETRY_AFTER_SECONDS } from "../registry/freshness.ts";

/** The newest finished detection, and the day of the registry it read. */
export interface Detection {
  finishedAt: Date;
  asOf: string;
}

/** The newest finished detection; null where there was none yet. */
export async function newestDetection({ db }: Pick<Context, "db">): Promise<Detection | null> {
  const { rows } = await db.pool.query<Detection>(
    `SELECT finished_at AS "finishedAt", as_of AS "asOf" FROM detection`,
  );
  return rows[0] ?? null;
}

/** Whether events may be served that this detection found. */
export const isFreshDetection = (context: Context, detection: Detection | null): boolean =>
  detection !== null && isFresh(context, detection.asOf);

/** Gives the newest detection; ProblemError stale_source when it read a registry that is too old, or there was none. */
export function requireFresh(context: Context, detection: Detection | null): Detection {
  if (detection !== null && isFreshDetection(context, detection)) return detection;
  const standing =
    detection === null ? "there was none yet" : `the newest read the registry of ${detection.asOf}`;
  throw new ProblemError(
    "stale_source",
    `The check for events is being made anew: ${standing}, and stale events are never served. Try again later; a ` +
      "cursor stays good.",
    { retryAfterSeconds: STALE_RETRY_AFTER_SECONDS },
  );
}
