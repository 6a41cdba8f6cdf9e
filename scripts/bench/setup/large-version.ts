import { type Column, type Feed, type FeedCode, feedOf } from "../../../src/feeds/catalogue.ts";
import { buildVersion } from "../../../src/feeds/publish/build.ts";
import { versionTable } from "../../../src/feeds/versions/feed-version.ts";
import type { Context } from "../../../src/platform/context.ts";

/** The feed whose versions are enlarged beyond the size that the registry gives. */
export const LARGE_FEED: FeedCode = "us_small_carriers_active";

export const largeFeed: Feed = largeFeedOf();

function largeFeedOf(): Feed {
  const feed = feedOf(LARGE_FEED);
  if (!feed) throw new Error(`There is no feed ${LARGE_FEED}`);
  return feed;
}

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
  list: "text[]",
};

/** Publishes the first rows of a version as a version that was just replaced, so that it can still be read. */
export function publishFirstRows(context: Context, whole: Version, rows: number): Promise<Version> {
  return context.db.bulkTransaction(async (client) => {
    const opened = await client.query<{ id: number }>(
      `INSERT INTO feed_version (feed_code, as_of, row_count, fingerprint, published_at, replaced_at)
       SELECT feed_code, as_of, $2, 'bench', $3, $3 FROM feed_version WHERE id = $1 RETURNING id`,
      [whole.id, rows, context.clock.now()],
    );
    const id = opened.rows[0]?.id ?? 0;
    const [from, to] = [versionTable(whole.id), versionTable(id)];
    await client.query(`CREATE TABLE ${to} (LIKE ${from} INCLUDING ALL)`);
    await client.query(`INSERT INTO ${to} SELECT * FROM ${from} WHERE pos <= $1 ORDER BY pos`, [rows]);
    await client.query(
      `INSERT INTO feed_version_column (version_id, name, packed)
       SELECT $2, name, substring(packed FROM 1 FOR 4 * $3::int) FROM feed_version_column WHERE version_id = $1`,
      [whole.id, id, rows],
    );
    return { id, rows };
  });
}

/**
 * Publishes a version with this many rows as the current one: it repeats the records of the imported version, each time for
 * another business, whose name ends with `suffix`. The feed's own build renders and packs them.
 */
export function publishLargeVersion(
  context: Context,
  imported: Version,
  rows: number,
  { suffix = "" } = {},
): Promise<Version> {
  const feed = largeFeed;
  return context.db.bulkTransaction(async (client) => {
    const now = context.clock.now();
    const opened = await client.query<{ id: number }>(
      `INSERT INTO feed_version (feed_code, as_of, row_count, fingerprint, published_at)
       SELECT feed_code, as_of, $2, 'bench', $3 FROM feed_version WHERE id = $1 RETURNING id`,
      [imported.id, rows, now],
    );
    const id = opened.rows[0]?.id ?? 0;
    const types = feed.columns.map(({ name, kind }) => `${name} ${SQL_TYPES[kind]}`);
    // The build gives each record an id of its own.
    const values = feed.columns
      .filter(({ name }) => name !== "record_id")
      .map(({ name }) => {
        if (name === "dot_number") return "(1000000 + index)::text AS dot_number";
        return name === "company" ? `imported.company || '${suffix}' AS company` : `imported.${name}`;
      });
    // Read once into columns: a build uses each of them several times.
    const derivation = `
      WITH imported AS MATERIALIZED (
        SELECT pos, shown.*
        FROM ${versionTable(imported.id)} CROSS JOIN LATERAL jsonb_to_record(json::jsonb) AS shown (${types.join(", ")})
      )
      SELECT 1000000 + index AS usdot, imported.authority_type AS authority_class, imported.docket_number AS docket,
        ${values.join(", ")}
      FROM generate_series(0, ${rows - 1}) AS index JOIN imported ON imported.pos = 1 + index % ${imported.rows}`;
    const built = await buildVersion(client, feed, derivation, id);
    if (built !== rows) throw new Error(`A version of ${rows} rows was built with ${built}.`);
    await client.query(
      "UPDATE feed_version SET replaced_at = $2 WHERE id = (SELECT version_id FROM feed_current WHERE feed_code = $1)",
      [LARGE_FEED, now],
    );
    await client.query("UPDATE feed_current SET version_id = $2 WHERE feed_code = $1", [LARGE_FEED, id]);
    return { id, rows };
  });
}
