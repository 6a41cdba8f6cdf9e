import type { Context } from "../platform/context.ts";

/** How many businesses were removed on request since then of those that stood in any of these feeds. */
export async function countRemovedSince(
  { db }: Pick<Context, "db">,
  feedCodes: readonly string[],
  since: Date,
): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    "SELECT count(*) AS count FROM suppressed_business WHERE suppressed_at > $1 AND feeds && $2::text[]",
    [since, feedCodes],
  );
  return rows[0]?.count ?? 0;
}
