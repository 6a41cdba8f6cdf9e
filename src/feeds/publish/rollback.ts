import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { FEEDS, type FeedCode, feedOf } from "../catalogue.ts";
import { KEPT_AFTER_REPLACED_HOURS } from "./publish.ts";
import { lockPublishing } from "./publish-lock.ts";

/** The version that readers get again. */
export interface RolledBack {
  feed: FeedCode;
  from: number;
  to: number;
  as_of: string;
  rows: number;
}

/**
 * Points the readers of a feed back to the version before the served one, until the next import publishes a new one.
 * OperatorError when the feed does not exist or is not live, when no earlier version is kept, or during an import.
 */
export async function rollBackFeed({ db, clock }: Context, code: string): Promise<RolledBack> {
  const feed = feedOf(code);
  if (!feed) {
    throw new OperatorError(
      `There is no feed ${code}; the feeds are ${FEEDS.map(({ code: known }) => known).join(", ")}.`,
    );
  }
  return db.bulkTransaction(async (client) => {
    await lockPublishing(client);
    const { rows } = await client.query<{ from: number; to: number | null; as_of: string; rows: number }>(
      `SELECT version_id AS "from", before.id AS "to", before.as_of, before.row_count AS rows
       FROM feed_current
       LEFT JOIN LATERAL (
         SELECT * FROM feed_version
         WHERE feed_version.feed_code = feed_current.feed_code AND id < version_id
           AND replaced_at > $2
         ORDER BY replaced_at DESC LIMIT 1
       ) AS before ON true
       WHERE feed_current.feed_code = $1`,
      [feed.code, new Date(clock.now().getTime() - KEPT_AFTER_REPLACED_HOURS * 3_600_000)],
    );
    const found = rows[0];
    if (!found) throw new OperatorError(`${feed.code} is not live: there is no version to go back from.`);
    const { from, to } = found;
    if (to === null) {
      throw new OperatorError(
        `No version of ${feed.code} before ${from} is kept; versions are kept for ${KEPT_AFTER_REPLACED_HOURS} hours after they were replaced.`,
      );
    }
    await client.query(
      "UPDATE feed_version SET replaced_at = CASE WHEN id = $1 THEN $3::timestamptz END WHERE id IN ($1, $2)",
      [from, to, clock.now()],
    );
    await client.query("UPDATE feed_current SET version_id = $2, rolled_back_at = $3 WHERE feed_code = $1", [
      feed.code,
      to,
      clock.now(),
    ]);
    return { feed: feed.code, from, to, as_of: found.as_of, rows: found.rows };
  });
}
