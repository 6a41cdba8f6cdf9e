import { type Column, type FeedCode, feedOf } from "../../src/feeds/catalogue.ts";
import { buildVersion } from "../../src/feeds/publish/build.ts";
import { versionTable } from "../../src/feeds/version-table.ts";
import type { Context } from "../../src/platform/context.ts";

/** The feed whose versions are made larger than a small registry would give them. */
export const LARGE_FEED: FeedCode = "us_small_carriers_active";

/** A published version. */
export interface Version {
  id: number;
  rows: number;
}

const SQL_TYPES: Record<Column["kind"], string> = {
  text: "text",
  integer: "integer",
  boolean: "boolean",
  date: "date",
};

/**
 * Publishes a version of so many rows as the current one: the records of the imported version over and over, each time
 * of another business. The feed's own build renders and packs them.
 */
export function publishLargeVersion(context: Context, imported: Version, rows: number): Promise<Version> {
  const feed = feedOf(LARGE_FEED);
  if (!feed) throw new Error(`There is no feed ${LARGE_FEED}`);
  return context.db.bulkTransaction(async (client) => {
    const now = context.clock.now();
    const opened = await client.query<{ id: number }>(
      `INSERT INTO feed_version (feed_code, as_of, row_count, fingerprint, published_at)
       SELECT feed_code, as_of, $2, 'bench', $3 FROM feed_version WHERE id = $1 RETURNING id`,
      [imported.id, rows, now],
    );
    const id = opened.rows[0]?.id ?? 0;
    const values = feed.columns.map(({ name, kind }) =>
      name === "dot_number"
        ? "repeated.usdot::text AS dot_number"
        : `(repeated.record->>'${name}')::${SQL_TYPES[kind]} AS ${name}`,
    );
    const derivation = `
      SELECT repeated.usdot, repeated.record->>'authority_type' AS authority_class, ${values.join(", ")}
      FROM (
        SELECT 1000000 + place AS usdot, json::jsonb AS record
        FROM generate_series(0, ${rows - 1}) AS place
        JOIN ${versionTable(imported.id)} ON pos = 1 + place % ${imported.rows}
      ) AS repeated`;
    const built = await buildVersion(client, feed, derivation, id);
    if (built !== rows) throw new Error(`A version of ${rows} rows came out with ${built}.`);
    await client.query(
      "UPDATE feed_version SET replaced_at = $2 WHERE id = (SELECT version_id FROM feed_current WHERE feed_code = $1)",
      [LARGE_FEED, now],
    );
    await client.query("UPDATE feed_current SET version_id = $2 WHERE feed_code = $1", [LARGE_FEED, id]);
    return { id, rows };
  });
}
