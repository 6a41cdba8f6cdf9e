import { DAY_MS } from "../platform/clock.ts";
import type { Queryable } from "../platform/database/statement.ts";
import * as sql from "./statements.ts";

const WINDOW_MS = DAY_MS;
/** A feed is braked when more businesses than both of these were removed from it within a day. */
const BRAKE_BUSINESSES = 50;
const BRAKE_SHARE = 0.005;

/** Businesses removed from one feed within a day, and the rows of its current version. */
export type RemovedLastDay = sql.RemovedSinceRow;

/** The removals from each feed within the last day. */
export async function removedLastDay(client: Queryable, now: Date): Promise<RemovedLastDay[]> {
  const { rows } = await sql.removedSince.prepared(client, { since: new Date(now.getTime() - WINDOW_MS) });
  return rows;
}

/**
 * The braked feeds. While there is one, requests by phone or e-mail wait for an operator: a contact can match many
 * businesses, and the sender of a request is unknown.
 */
export const brakedFeeds = async (client: Queryable, now: Date): Promise<RemovedLastDay[]> =>
  (await removedLastDay(client, now)).filter(isBraked);

/** Whether so many removals brake the feed. */
export const isBraked = ({ removed, rows }: RemovedLastDay): boolean =>
  removed > BRAKE_BUSINESSES && removed > BRAKE_SHARE * rows;
