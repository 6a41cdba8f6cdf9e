import * as sql from "../../generated/sql/feeds/versions.ts";
import type { Context, Database } from "../../platform/context.ts";
import { timeOf } from "../../platform/database/pool.ts";
import { feedOf } from "../catalogue.ts";
import type { FeedVersion, PublishedVersion } from "./feed-version.ts";
import { removalsOf } from "./removals.ts";
import { versionColumns } from "./version-columns.ts";

/** A version, and the state of the removal list in the same snapshot. */
export interface FoundVersion extends PublishedVersion {
  listState: string;
}

/** The version of each feed that is served now. */
export async function findCurrentVersions(db: Database): Promise<FoundVersion[]> {
  const rows = await sql.currentVersions(db.pool);
  return rows.flatMap(versionOf);
}

type ServedRow = [
  feed: string,
  id: number,
  asOf: string,
  rowCount: number,
  publishedAt: string,
  builtListState: string | null,
  columnsHash: string | null,
];

/** The same from the text that the statement admission makes of it. */
export function versionsIn(served: string): FoundVersion[] {
  const { listState, versions } = JSON.parse(served) as { listState: string; versions: ServedRow[] | null };
  return (versions ?? []).flatMap(
    ([feed_code, id, as_of, row_count, publishedAt, built_list_state, columns_hash]) =>
      versionOf({
        feed_code,
        id,
        as_of,
        row_count,
        published_at: timeOf(publishedAt),
        built_list_state,
        columns_hash,
        list_state: listState,
      }),
  );
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
  const rows = await sql.versionsById(db.pool, { ids: [...new Set(ids)] });
  return new Map(
    rows.flatMap((row) =>
      versionOf(row).map((version) => [
        version.id,
        { version, replacedAtMs: row.replaced_at?.getTime() ?? null },
      ]),
    ),
  );
}

function versionOf(row: sql.CurrentVersionsRow): FoundVersion[] {
  const feed = feedOf(row.feed_code);
  if (!feed) return [];
  return [
    {
      id: row.id,
      feed,
      asOf: row.as_of,
      rowCount: row.row_count,
      publishedAtMs: row.published_at.getTime(),
      builtListState: row.built_list_state,
      columnsHash: row.columns_hash,
      listState: row.list_state,
    },
  ];
}

/** The version as requests read it; VersionGoneError when its table was dropped. */
export async function openVersion(
  context: Pick<Context, "db">,
  { listState, ...version }: FoundVersion,
): Promise<FeedVersion> {
  const [removals, columns] = await Promise.all([
    removalsOf(context, version, listState),
    versionColumns(context, version),
  ]);
  return { ...version, removals, columns };
}
