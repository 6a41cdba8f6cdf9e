import type { Context } from "../../platform/context.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { indexOfFirst } from "../records/visible-rows.ts";
import { type FeedVersion, fromVersion, readRows, versionTable } from "../versions/feed-version.ts";
import { completeRecord } from "../versions/version-columns.ts";
import type { PlainRecord } from "./change-entry.ts";

/** A row of a version with its record, complete in the columns of the feed of now. */
interface VersionRow {
  pos: number;
  usdot: number;
  recordId: string;
  record: PlainRecord;
}

/** The rows at these positions. */
export const rowsAt = (
  context: Context,
  version: FeedVersion,
  positions: Int32Array,
): Promise<VersionRow[]> => rowsWhere(context, version, "pos", [...positions]);

/** The rows of these businesses, by record id. */
export async function rowsOfBusinesses(
  context: Context,
  version: FeedVersion,
  usdots: readonly number[],
): Promise<ReadonlyMap<string, VersionRow>> {
  const rows = await rowsWhere(context, version, "usdot", usdots);
  return new Map(rows.map((row) => [row.recordId, row]));
}

/** The rows that have one of these values, in the version's order. */
export async function rowsWhere(
  context: Context,
  version: FeedVersion,
  column: "pos" | "usdot",
  values: readonly number[],
): Promise<VersionRow[]> {
  const text = `SELECT pos, usdot, record_id, json FROM ${versionTable(version.id)} WHERE ${column} = ANY ($1::int[]) ORDER BY pos`;
  const { rows } = await fromVersion(version, () =>
    readRows(context, [version], ({ pool }) => dynamic(pool, text, [values])),
  );
  const found = rows as { pos: number; usdot: number; record_id: string; json: string }[];
  return found.map(({ pos, usdot, record_id, json }) => ({
    pos,
    usdot,
    recordId: record_id,
    record: JSON.parse(completeRecord(version.columns, json)) as PlainRecord,
  }));
}

/** Whether the row was removed since the version was published. */
export function isRemoved({ removals: { positions } }: FeedVersion, pos: number): boolean {
  return positions[indexOfFirst(positions.length, (at) => (positions[at] as number) >= pos)] === pos;
}
