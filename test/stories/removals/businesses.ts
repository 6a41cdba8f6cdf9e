import type { Context } from "../../../src/platform/context.ts";
import type { Connected } from "./connected-paths.ts";
import type { DeliveredChange } from "./watched-paths.ts";

/** A business that is in a feed. */
export interface Business {
  usdot: number;
  company: string;
  feed: string;
  state: string;
  docket: string | null;
  /** The feed's served version, and the one before it if it has the business too. */
  version: number;
  replaced: number | null;
  /** The version before, if the business's record is another one in it, or is not in it. */
  changedSince: number | null;
  /** Another business of a feed, that names it as a connection; absent if it is a natural person. */
  connected?: Connected;
  /** Its newest event, and a delivery of it to an endpoint that receives its events only. */
  event?: { id: number; endpointId: number; deliveryId: number };
  /** A delivery of its newest change. */
  change?: DeliveredChange;
}

/** Every business with a state that is in a feed. */
export async function findBusinesses({ db }: Context): Promise<Business[]> {
  const { rows: versions } = await db.pool.query<{ feed: string; version: number; replaced: number }>(
    `SELECT feed_code AS feed, version_id AS version,
       (SELECT max(id) FROM feed_version AS before
        WHERE before.feed_code = feed_current.feed_code AND replaced_at IS NOT NULL) AS replaced
     FROM feed_current`,
  );
  const found = new Map<number, Business>();
  for (const { feed, version, replaced } of versions) {
    const { rows } = await db.pool.query<
      Pick<Business, "usdot" | "company" | "state" | "docket"> & { before: boolean; changed: boolean }
    >(
      `SELECT DISTINCT usdot, state, json::json ->> 'company' AS company, json::json ->> 'docket_number' AS docket,
         usdot IN (SELECT usdot FROM published.feed_${replaced}) AS before,
         record_id IN (
           SELECT record_id FROM feed_change JOIN feed_step ON feed_step.id = step_id
           WHERE from_version = ${replaced} AND to_version = ${version}) AS changed
       FROM published.feed_${version} AS record
       WHERE state IS NOT NULL`,
    );
    for (const { before, changed, ...business } of rows)
      found.set(business.usdot, {
        ...business,
        feed,
        version,
        replaced: before ? replaced : null,
        changedSince: changed ? replaced : null,
      });
  }
  return [...found.values()];
}
