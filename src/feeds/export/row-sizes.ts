import type { VisibleRows } from "../records/visible-rows.ts";
import type { ByteRange } from "./byte-range.ts";
import { LineFilter, type RowSpan } from "./row-writer.ts";

/** The rows that have the bytes of a range, and where they begin in the version's file. */
export interface RowRange extends RowSpan {
  fileOffset: number;
  /** Bytes of its first row that are before the range. */
  skippedBytes: number;
}

/** The bytes of rows, by the index of their line in the version's file. */
export interface RowSizes {
  /** Of the lines, without LF. */
  lines: Uint32Array;
  /** Of the rows, each of which has `added` bytes more. */
  rows: Uint32Array;
  added: number;
}

/** The bytes that all visible rows have in an export. */
export function bytesOfRows({ rows: lengths, added }: RowSizes, visible: VisibleRows): number {
  const { listed, removed, count } = visible;
  const lengthOf = (index: number): number =>
    lengths[listed === null ? index : (listed[index] as number) - 1] ?? 0;
  let bytes = count * added;
  for (let index = 0; index < (listed ?? lengths).length; index++) bytes += lengthOf(index);
  for (const index of removed) bytes -= lengthOf(index - 1);
  return bytes;
}

/** Finds the rows that have the bytes `first` to `last`, counted from the begin of the first row. */
export function rowsInRange(
  { lines, rows, added }: RowSizes,
  visible: VisibleRows,
  { first, last }: ByteRange,
): RowRange {
  const filter = new LineFilter(visible);
  let bytes = 0;
  let fileOffset = 0;
  let found: Omit<RowRange, "until"> | null = null;
  for (let line = 0; line < lines.length; line++) {
    if (filter.next()) {
      const end = bytes + (rows[line] as number) + added;
      if (found === null && end > first) {
        found = { after: filter.beforeVisible(), fileOffset, skippedBytes: first - bytes };
      }
      if (found !== null && end > last) return { ...found, until: filter.visibleSeen };
      bytes = end;
    }
    fileOffset += (lines[line] as number) + 1;
  }
  throw new Error(`The rows of an export have ${bytes} bytes, and ${last + 1} were asked for.`);
}
