import type { Context } from "../../platform/context.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { readRecordsAt } from "../row-files/read-lines.ts";
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

/** The rows at these positions, which are in ascending order. */
export async function rowsAt(
  context: Context,
  version: FeedVersion,
  positions: Int32Array,
): Promise<VersionRow[]> {
  const records = await readRecordsAt(context, version, positions);
  return records.map((json, at) => {
    const record = JSON.parse(json) as PlainRecord;
    const usdot = Number(record.dot_number);
    return { pos: positions[at] as number, usdot, recordId: String(record.record_id), record };
  });
}

/** The rows of these businesses, by record id. */
export async function rowsOfBusinesses(
  context: Context,
  version: FeedVersion,
  usdots: readonly number[],
): Promise<ReadonlyMap<string, VersionRow>> {
  const rows = await rowsOf(context, version, usdots);
  return new Map(rows.map((row) => [row.recordId, row]));
}

/** The rows of these businesses, in the version's order. */
export async function rowsOf(
  context: Context,
  version: FeedVersion,
  usdots: readonly number[],
): Promise<VersionRow[]> {
  const text = `SELECT pos, usdot, record_id, json FROM ${versionTable(version.id)} WHERE usdot = ANY ($1::int[]) ORDER BY pos`;
  const { rows } = await fromVersion(version, () =>
    readRows(context, [version], ({ pool }) => dynamic(pool, text, [usdots])),
  );
  const found = rows as { pos: number; usdot: number; record_id: string; json: string }[];
  return found.map(({ pos, usdot, record_id, json }) => ({
    pos,
    usdot,
    recordId: record_id,
    record: JSON.parse(completeRecord(version.columns, json)) as PlainRecord,
  }));
}
