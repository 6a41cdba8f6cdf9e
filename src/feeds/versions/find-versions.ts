import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/database/db.ts";
import { feedOf } from "../catalogue.ts";
import { removalsOf } from "../records/removals.ts";
import type { FeedVersion, PublishedVersion } from "./feed-version.ts";
import { versionColumns } from "./version-columns.ts";

/** A version, and the state of the removal list in the same snapshot. */
export interface FoundVersion extends PublishedVersion {
  listState: string;
}

interface VersionRow {
  feed_code: string;
  id: number;
  as_of: string;
  row_count: number;
  published_at: Date;
  list_state: string;
}

const COLUMNS =
  "feed_version.feed_code, feed_version.id, as_of, row_count, published_at, removal_list_state.state AS list_state";

/** The version of each feed that is served now. */
export async function findCurrentVersions(db: Database): Promise<FoundVersion[]> {
  const { rows } = await db.pool.query<VersionRow>({
    name: "current versions",
    text: `SELECT ${COLUMNS} FROM feed_current JOIN feed_version ON id = version_id CROSS JOIN removal_list_state`,
  });
  return rows.flatMap(versionOf);
}

/** A version found by its number. */
export interface NumberedVersion {
  version: FoundVersion;
  /** Null: it is served now. */
  replacedAtMs: number | null;
}

/** Existing versions among `ids`, keyed by id. */
export async function findVersions(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, NumberedVersion>> {
  const { rows } = await db.pool.query<VersionRow & { replaced_at: Date | null }>({
    name: "versions by number",
    text: `SELECT ${COLUMNS}, replaced_at FROM feed_version CROSS JOIN removal_list_state WHERE feed_version.id = ANY ($1)`,
    values: [[...new Set(ids)]],
  });
  return new Map(
    rows.flatMap((row) =>
      versionOf(row).map((version) => [
        version.id,
        { version, replacedAtMs: row.replaced_at?.getTime() ?? null },
      ]),
    ),
  );
}

function versionOf(row: VersionRow): FoundVersion[] {
  const feed = feedOf(row.feed_code);
  if (!feed) return [];
  const { id, as_of: asOf, row_count: rowCount, published_at, list_state: listState } = row;
  return [{ id, feed, asOf, rowCount, publishedAtMs: published_at.getTime(), listState }];
}

/** The version as requests read it; VersionGoneError when its table was dropped. */
export async function openVersion(
  context: Pick<Context, "db">,
  { listState, ...version }: FoundVersion,
): Promise<FeedVersion> {
  const removals = await removalsOf(context, version, listState);
  return { ...version, removals, columns: await versionColumns(context, version) };
}
