import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import { type FeedVersion, keyOf } from "../versions/feed-version.ts";
import { positionsOf } from "./positions.ts";
import type { Selection } from "./selection.ts";

/** The rows of a version that an answer may show: the selected ones without the removed ones. */
export interface VisibleRows {
  /** Positions of the selected rows, ascending; null: every row of the version. */
  listed: Int32Array | null;
  /** 1-based indexes into `listed` of rows removed since publication, ascending; when `listed` is null, positions. */
  removed: Int32Array;
  count: number;
}

const CACHE_BYTES = 4 * 1024 * 1024;
// A cache of its own: the lists of positions stay the same when rows are removed.
const removedIndexes = perDatabase(() =>
  createByteCache<Int32Array>(CACHE_BYTES, (indexes) => indexes.byteLength),
);

export async function visibleRowsOf(
  context: Pick<Context, "db">,
  version: FeedVersion,
  selection: Selection,
): Promise<VisibleRows> {
  const { key, positions } = version.removals;
  const listed = await positionsOf(context, version, selection);
  if (listed === null) return visible(null, positions, version.rowCount);
  if (key === "") return visible(listed, positions, listed.length);
  const name = `${keyOf(version)} ${key} ${selection.key}`;
  const removed = await removedIndexes(context.db).get(name, async () => indexesOf(listed, positions));
  return visible(listed, removed, listed.length);
}

const visible = (listed: Int32Array | null, removed: Int32Array, total: number): VisibleRows => ({
  listed,
  removed,
  count: total - removed.length,
});

/** The 1-based indexes in `listed` of those of the positions that it has; both lists are ascending. */
function indexesOf(listed: Int32Array, positions: Int32Array): Int32Array {
  const indexes: number[] = [];
  for (const position of positions) {
    const index = indexOfFirst(listed.length, (at) => (listed[at] as number) >= position);
    if (listed[index] === position) indexes.push(index + 1);
  }
  return Int32Array.from(indexes);
}

/** 1-based index of the visible row number `visibleBefore` + 1. */
export function indexAfter({ removed }: VisibleRows, visibleBefore: number): number {
  // Before the removed index p, which is number i (from 0), there are p - 1 - i visible rows.
  const removedBefore = indexOfFirst(
    removed.length,
    (at) => (removed[at] as number) - 1 - at > visibleBefore,
  );
  return visibleBefore + removedBefore + 1;
}

/** The removed indexes between two indexes, both included. */
export function removedBetween({ removed }: VisibleRows, from: number, to: number): Int32Array {
  const first = indexOfFirst(removed.length, (at) => (removed[at] as number) >= from);
  const next = indexOfFirst(removed.length, (at) => (removed[at] as number) > to);
  return removed.subarray(first, next);
}

/** Binary search: the first index where the monotone `holds` is true, else `count`. */
export function indexOfFirst(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
