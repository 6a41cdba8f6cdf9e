import type pg from "pg";
import type { FeedCode } from "../catalogue.ts";
import { versionTable } from "../versions/version-table.ts";

export interface ServedVersion {
  feed: FeedCode;
  version: number;
  as_of: string;
  /** Whether customers find the carrier in it. */
  is_served: boolean;
}

/** The served version of each live feed, and whether it gives a row of the carrier that was not removed since. */
export async function servedVersions(
  client: pg.ClientBase,
  usdot: number,
): Promise<ReadonlyMap<FeedCode, ServedVersion>> {
  const { rows } = await client.query<Omit<ServedVersion, "is_served">>(
    `SELECT feed_current.feed_code AS feed, id AS version, as_of
     FROM feed_current JOIN feed_version ON id = version_id`,
  );
  const served = new Map<FeedCode, ServedVersion>();
  for (const row of rows) {
    const { rowCount } = await client.query(
      `SELECT FROM ${versionTable(row.version)}
       WHERE usdot = $1 AND usdot NOT IN (SELECT usdot FROM removal_list_business)
         AND NOT EXISTS (
           SELECT FROM removal_list_contact
           WHERE value IN (json::json ->> 'phone', json::json ->> 'cell_phone', json::json ->> 'email'))`,
      [usdot],
    );
    served.set(row.feed, { ...row, is_served: Boolean(rowCount) });
  }
  return served;
}
