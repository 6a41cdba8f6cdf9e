import type { Context } from "../../platform/context.ts";
import { linesToList } from "../../platform/json-text.ts";
import { giveBack } from "../../platform/lent-bytes.ts";
import type { Positions } from "../../platform/row-reader.ts";
import { readLines, readRecordsAt } from "../row-files/read-lines.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import type { Fields } from "./fields.ts";
import { indexAfter, removedBetween, type VisibleRows } from "./visible-rows.ts";

/** Which page, and which columns of its records; null: all. */
export interface AskedPage {
  page: number;
  pageSize: number;
  fields?: Fields | null;
}

/** The visible rows of a page: their number, the positions of the rows, and whether others follow. */
export interface PageRows {
  positions: Positions;
  rows: number;
  hasMore: boolean;
}

export function rowsOfPage(visible: VisibleRows, { page, pageSize }: AskedPage): PageRows {
  const start = (page - 1) * pageSize;
  const end = Math.min(start + pageSize, visible.count);
  if (start >= end) return { positions: new Int32Array(0), rows: 0, hasMore: false };
  const [from, to] = [indexAfter(visible, start), indexAfter(visible, end - 1)];
  const removed = removedBetween(visible, from, to);
  const positions =
    visible.listed === null && removed.length === 0
      ? { from, to }
      : positionsBetween(visible.listed, from, to, removed);
  return { positions, rows: end - start, hasMore: end < visible.count };
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

/** The bytes of a page, and how many rows it has. They are lent, until all who took the page have let it go. */
export class FinishedPage {
  readonly json: Buffer;
  readonly rows: number;
  #keepers = 0;

  constructor(json: Buffer, rows: number) {
    this.json = json;
    this.rows = rows;
  }

  keep(): void {
    this.#keepers += 1;
  }

  /** Once for each `keep`. Who forgets it leaves the bytes to the garbage collector. */
  letGo(): void {
    this.#keepers -= 1;
    if (this.#keepers === 0) giveBack(this.json);
  }
}

/** The records of a page, separated by commas, between what stands `before` and `after` them. Whole ones are not decoded. */
export async function renderPage(
  context: Context,
  version: FeedVersion,
  { positions, rows }: PageRows,
  { fields, before, after }: { fields: Fields | null | undefined; before: string; after: string },
): Promise<Buffer> {
  if (rows === 0) return Buffer.from(before + after);
  if (fields || version.columns.missing.length > 0) {
    const records = await readRecordsAt(context, version, positions);
    const shown = fields ? records.map(fields.cut) : records;
    return Buffer.from(before + shown.join(",") + after);
  }
  const sizes = { before: Buffer.byteLength(before), after: Buffer.byteLength(after) };
  // The end of the last line is not needed.
  const bytes = await readLines(context, version, positions, { ...sizes, after: sizes.after - 1 });
  linesToList(bytes, sizes.before);
  bytes.write(before, 0);
  bytes.write(after, bytes.length - sizes.after);
  return bytes;
}
