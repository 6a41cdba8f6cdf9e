import type pg from "pg";
import * as sql from "../../generated/sql/feeds/publish.ts";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { FEEDS, type FeedCode, feedOf } from "../catalogue.ts";
import { KEPT_AFTER_REPLACED_HOURS } from "./old-versions.ts";
import { lockPublishing } from "./publish-lock.ts";
import { recordRollback, rulesOfVersion } from "./step.ts";
import { openVersionChanges } from "./version-changes.ts";

/** The version that readers get again. */
export interface RolledBack {
  feed: FeedCode;
  from: number;
  to: number;
  as_of: string;
  rows: number;
}

/** The version that readers got until a rollback. */
export interface TakenBack {
  feed: FeedCode;
  publishedAt: Date;
}

/**
 * Points the readers of a feed back to the version before the served one, until an import releases it. `takeBack` runs in
 * the same transaction, for what else rests on the version that was served. OperatorError when the feed does not exist or
 * is not live, when no earlier version is kept, or during an import.
 */
export async function rollBackFeed(
  { db, clock }: Context,
  code: string,
  takeBack: (client: pg.PoolClient, version: TakenBack) => Promise<unknown> = async () => {},
): Promise<RolledBack> {
  const feed = feedOf(code);
  if (!feed) {
    throw new OperatorError(
      `There is no feed ${code}; the feeds are ${FEEDS.map(({ code: known }) => known).join(", ")}.`,
    );
  }
  return db.bulkTransaction(async (client) => {
    await lockPublishing(client);
    const now = clock.now();
    const found = await sql.versionBefore(client, {
      feed: feed.code,
      replacedAfter: new Date(now.getTime() - KEPT_AFTER_REPLACED_HOURS * HOUR_MS),
    });
    if (!found) throw new OperatorError(`${feed.code} is not live: there is no version to go back from.`);
    const { from, from_published_at: publishedAt, to, as_of, published_at, rows: rowsBefore } = found;
    if (to === null || as_of === null || published_at === null || rowsBefore === null) {
      throw new OperatorError(
        `No version of ${feed.code} before ${from} is kept; versions are kept for ${KEPT_AFTER_REPLACED_HOURS} hours after they were replaced.`,
      );
    }
    const rules = await rulesOfVersion(client, to);
    const haveSameRules = rules !== null && rules === (await rulesOfVersion(client, from));
    await openVersionChanges(client, feed, { before: from, now: to, haveSameRules });
    await recordRollback(client, {
      feed: feed.code,
      from,
      to,
      asOf: as_of,
      publishedAt: published_at,
      takenAt: now,
      rules: rules ?? "",
    });
    await sql.swapReplaced(client, { from, to, now });
    await sql.pointBack(client, { feed: feed.code, to, now });
    await sql.noteSize(client, { feed: feed.code, asOf: as_of, rows: rowsBefore });
    await takeBack(client, { feed: feed.code, publishedAt });
    return { feed: feed.code, from, to, as_of, rows: rowsBefore };
  });
}
