import type { VisibleRows } from "../records/visible-rows.ts";
import type { ByteRange } from "./byte-range.ts";
import { LineFilter, type LinesSeen, NO_LINES } from "./line-filter.ts";
import type { RowShape, RowSpan } from "./row-writer.ts";

type Visible = Pick<VisibleRows, "listed" | "removed">;

/** The rows that have the bytes of a range, and where they begin in the version's file. */
export interface RowRange extends RowSpan {
  fileOffset: number;
  /** Bytes of its first row that are before the range. */
  skippedBytes: number;
}

/** The bytes that all visible rows have in an export. */
export function bytesOfRows(lengths: Uint32Array, visible: Visible, shape: RowShape): number {
  const added = shape.end.length - shape.droppedBytes;
  const filter = new LineFilter(visible);
  let bytes = 0;
  for (const length of lengths) if (filter.next()) bytes += length + added;
  return bytes;
}

/** Finds the rows that have the bytes `first` to `last`, counted from the first row's begin. */
export function rowsInRange(
  lengths: Uint32Array,
  visible: Visible,
  shape: RowShape,
  { first, last }: ByteRange,
): RowRange {
  const added = shape.end.length - shape.droppedBytes;
  const filter = new LineFilter(visible);
  let [bytes, fileOffset] = [0, 0];
  let found: Omit<RowRange, "until"> | null = null;
  let before: LinesSeen = NO_LINES;
  for (const length of lengths) {
    if (found === null) before = { ...filter.seen };
    if (filter.next()) {
      const end = bytes + length + added;
      if (found === null && end > first) found = { after: before, fileOffset, skippedBytes: first - bytes };
      if (found !== null && end > last) return { ...found, until: filter.seen.visible };
      bytes = end;
    }
    fileOffset += length + 1;
  }
  throw new Error(`The rows of an export have ${bytes} bytes, and ${last + 1} were asked for.`);
}
