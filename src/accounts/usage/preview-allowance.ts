import { DAY_MS, dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";

/** More than a person looks at; without a limit a program could read whole feeds by previews, past the quota. */
const PREVIEWS_PER_DAY = 200;

/**
 * Counts a free preview of the account on the current day of UTC, exactly, over any number of processes. ProblemError
 * rate_limited when the day's previews are used up.
 */
export async function countPreview({ db, clock }: Context, accountId: number): Promise<void> {
  const now = clock.now();
  const { rows } = await db.pool.query<{ used: number }>(
    `INSERT INTO preview_day AS stored (account_id, day, used) VALUES ($1, $2, 1)
     -- The day never goes back: a process whose clock is behind counts into the day the others have begun.
     ON CONFLICT (account_id) DO UPDATE SET
       day = greatest(stored.day, excluded.day),
       used = CASE WHEN stored.day < excluded.day THEN 0 ELSE stored.used END + 1
     RETURNING used`,
    [accountId, dayOf(now)],
  );
  if ((rows[0]?.used ?? 0) <= PREVIEWS_PER_DAY) return;
  throw new ProblemError(
    "rate_limited",
    `Your account has looked at ${PREVIEWS_PER_DAY} free previews today (UTC), which is the limit. Download the feed or ` +
      "read it with the API, or come back tomorrow.",
    { retryAfterSeconds: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) },
  );
}
