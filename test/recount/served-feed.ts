import type { Context } from "../../src/platform/context.ts";
import type { Row } from "./recount.ts";

/** A feed as it is served now, its records in order; null when it is not live. */
export async function servedFeed(
  context: Context,
  code: string,
): Promise<{ asOf: string; records: Row[] } | null> {
  const { rows } = await context.db.pool.query<{ id: number; asOf: string }>(
    `SELECT id, as_of::text AS "asOf" FROM feed_current JOIN feed_version ON id = version_id
     WHERE feed_current.feed_code = $1`,
    [code],
  );
  const version = rows[0];
  if (!version) return null;
  const records = await context.db.pool.query<{ json: string }>(
    `SELECT json FROM published.feed_${version.id} ORDER BY pos`,
  );
  return { asOf: version.asOf, records: records.rows.map(({ json }) => JSON.parse(json) as Row) };
}
