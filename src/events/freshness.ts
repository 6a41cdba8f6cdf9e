import { dayNumber, dayOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";
import * as sql from "./statements.ts";

/** How much older than today the registry's day may be; the same as of every feed. */
const FRESHNESS_DAYS = 5;
/** How soon to ask again: an import that is running is done by then. */
const RETRY_AFTER_SECONDS = 600;

/** The newest finished detection, and the day of the registry it read. */
export interface Detection {
  finishedAt: Date;
  asOf: string;
}

/** The newest finished detection; null where there was none yet. */
export async function newestDetection({ db }: Pick<Context, "db">): Promise<Detection | null> {
  const { rows } = await sql.newestDetection.run(db.pool);
  return rows[0] ?? null;
}

/** Whether events may be served that this detection found. */
export const isFreshDetection = (context: Context, detection: Detection | null): boolean =>
  detection !== null && ageDays(context, detection) <= FRESHNESS_DAYS;

/** Gives the newest detection; ProblemError stale_source when it read a registry that is too old, or there was none. */
export function requireFresh(context: Context, detection: Detection | null): Detection {
  if (detection !== null && isFreshDetection(context, detection)) return detection;
  const standing =
    detection === null ? "there was none yet" : `the newest read the registry of ${detection.asOf}`;
  throw new ProblemError(
    "stale_source",
    `The check for events is being made anew: ${standing}, and stale events are never served. Try again later; a ` +
      "cursor stays good.",
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

const ageDays = (context: Context, { asOf }: Detection): number =>
  dayNumber(dayOf(context.clock.now())) - dayNumber(asOf);
