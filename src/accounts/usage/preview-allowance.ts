import { DAY_MS, dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import * as sql from "./statements.ts";

/** More than a person needs. Without a limit a program could read whole feeds by previews, without quota. */
export const PREVIEWS_PER_DAY = 200;

/**
 * Counts a free preview of the account on the current day (UTC), exactly over any number of processes. Throws
 * ProblemError rate_limited above the day's limit.
 */
export async function countPreview({ db, clock }: Context, accountId: number): Promise<void> {
  const now = clock.now();
  const { rows } = await sql.countPreview.run(db.pool, { accountId, day: dayOf(now) });
  if ((rows[0]?.used ?? 0) <= PREVIEWS_PER_DAY) return;
  throw new ProblemError(
    "rate_limited",
    `Your account has looked at ${PREVIEWS_PER_DAY} free previews today (UTC), which is the limit. Download the feed or ` +
      "read it with the API, or come back tomorrow.",
    { retryAfterSeconds: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) },
  );
}
