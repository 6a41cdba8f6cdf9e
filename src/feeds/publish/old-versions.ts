import type pg from "pg";
import * as sql from "../../generated/sql/feeds/publish.ts";
import { HOUR_MS } from "../../platform/clock.ts";
import type { FeedCode } from "../catalogue.ts";
import { READABLE_AFTER_REPLACED_HOURS } from "../versions/versions.ts";

/** An hour after readers may last ask for a replaced version, no answer from it can still be running. */
export const KEPT_AFTER_REPLACED_HOURS = READABLE_AFTER_REPLACED_HOURS + 1;

/** Makes every feed but the given ones not live. Their versions can no longer be read. */
export async function withdrawFeeds(
  client: pg.ClientBase,
  except: readonly FeedCode[],
  now: Date,
): Promise<void> {
  await sql.withdrawFeeds(client, { except, now });
}

/** Lets every replaced version expire, so that the next dropExpiredVersions removes it. */
export async function expireReplacedVersions(client: pg.ClientBase): Promise<void> {
  await sql.expireReplaced(client);
}

/** Removes versions that were replaced more than KEPT_AFTER_REPLACED_HOURS ago. Returns how many. */
export async function dropExpiredVersions(client: pg.ClientBase, now: Date): Promise<number> {
  return dropVersionsReplacedBefore(client, new Date(now.getTime() - KEPT_AFTER_REPLACED_HOURS * HOUR_MS));
}

/** Removes versions that were replaced before a time. Returns how many. */
export async function dropVersionsReplacedBefore(
  client: pg.ClientBase,
  replacedBefore: Date,
): Promise<number> {
  const rows = await sql.deleteExpired(client, { replacedBefore });
  for (const { id } of rows) await sql.dropVersion(client, { id });
  return rows.length;
}
