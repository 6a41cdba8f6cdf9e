import type { Context } from "../../platform/context.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { countOf } from "../../platform/plural.ts";
import {
  type FeedVersion,
  fromVersion,
  type PublishedVersion,
  readRows,
  versionTable,
} from "../versions/feed-version.ts";
import { completeRecord } from "../versions/version-columns.ts";
import type { Fields } from "./fields.ts";
import { indexAfter, removedBetween, type VisibleRows } from "./visible-rows.ts";

/** A page's records as one JSON array, built without parsing them. */
export interface RecordsPage {
  json: string;
  rows: number;
  hasMore: boolean;
}

/** Which page, and which columns of its records; null: all. */
export interface AskedPage {
  page: number;
  pageSize: number;
  fields?: Fields | null;
}

/** The visible rows of a page. */
export async function readPage(
  context: Pick<Context, "db">,
  version: FeedVersion,
  visible: VisibleRows,
  { page, pageSize, fields }: AskedPage,
): Promise<RecordsPage> {
  const start = (page - 1) * pageSize;
  const end = Math.min(start + pageSize, visible.count);
  if (start >= end) return { json: "[]", rows: 0, hasMore: false };
  const [from, to] = [indexAfter(visible, start), indexAfter(visible, end - 1)];
  const removed = removedBetween(visible, from, to);
  const rows =
    visible.listed === null && removed.length === 0
      ? await jsonOf(context, version, "range", [from, to])
      : await jsonOf(context, version, "list", [
          `{${positionsBetween(visible.listed, from, to, removed).join(",")}}`,
        ]);
  if (rows.length !== end - start) {
    throw new Error(
      `Version ${version.id} gave ${countOf(rows.length, "row")} for the ${end - start} after row ${start}.`,
    );
  }
  const isComplete = version.columns.missing.length === 0;
  const records = isComplete ? rows : rows.map((json) => completeRecord(version.columns, json));
  const shown = fields ? records.map(fields.cut) : records;
  return { json: `[${shown.join(",")}]`, rows: rows.length, hasMore: end < visible.count };
}

/** Positions of the visible rows at the indexes `from` to `to`; without a list, indexes are positions. */
function positionsBetween(
  listed: Int32Array | null,
  from: number,
  to: number,
  removed: Int32Array,
): Int32Array {
  const positions =
    listed?.subarray(from - 1, to) ?? Int32Array.from({ length: to - from + 1 }, (_, at) => from + at);
  if (removed.length === 0) return positions;
  const left = new Set(removed);
  return positions.filter((_, at) => !left.has(from + at));
}

const WHERE = {
  range: "pos >= $1 AND pos <= $2",
  list: "pos = ANY ($1::int[])",
} as const;

async function jsonOf(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  where: keyof typeof WHERE,
  values: unknown[],
): Promise<string[]> {
  const text = `SELECT json FROM ${versionTable(version.id)} WHERE ${WHERE[where]} ORDER BY pos`;
  // Prepared once per connection and version. Connections are replaced before they hold many such statements.
  const name = `page ${version.id} ${where}`;
  const { rows } = await fromVersion(version, () =>
    readRows(context, [version], ({ pool }) => dynamic(pool, text, values, { name, rowMode: "array" })),
  );
  return (rows as [json: string][]).map(([json]) => json);
}
