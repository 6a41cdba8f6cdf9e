import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { positionsOf } from "./positions.ts";
import type { Selection } from "./selection.ts";

/** The rows of a version that an answer draws from: those selected, without those removed. */
export interface KeptRows {
  /** Positions of the selected rows, ascending; null: every row of the version. */
  listed: Int32Array | null;
  /** Which of them are removed: their places in that list, from 1, ascending. In a whole version places are positions. */
  removed: Int32Array;
  count: number;
}

const CACHE_BYTES = 4 * 1024 * 1024;
// Apart from the lists themselves, which removals leave as they are.
const placesOf = perDatabase(() => createByteCache<Int32Array>(CACHE_BYTES, (places) => places.byteLength));

/** The selected rows of the version that are not removed. */
export async function keptRowsOf(
  context: Pick<Context, "db">,
  version: FeedVersion,
  selection: Selection,
): Promise<KeptRows> {
  const { key, positions } = version.removals;
  const listed = await positionsOf(context, version, selection);
  if (listed === null) return kept(null, positions, version.rowCount);
  if (key === "") return kept(listed, positions, listed.length);
  const name = `${version.id} ${key} ${selection.key}`;
  const removed = await placesOf(context.db).get(name, async () => placesIn(listed, positions));
  return kept(listed, removed, listed.length);
}

const kept = (listed: Int32Array | null, removed: Int32Array, total: number): KeptRows => ({
  listed,
  removed,
  count: total - removed.length,
});

/** The places at which some of the listed positions stand in the list; both ascending. */
function placesIn(listed: Int32Array, positions: Int32Array): Int32Array {
  const places: number[] = [];
  for (const position of positions) {
    const index = indexOfFirst(listed.length, (at) => (listed[at] as number) >= position);
    if (listed[index] === position) places.push(index + 1);
  }
  return Int32Array.from(places);
}

/** The place of the row that comes after so many kept ones. */
export function placeAfter({ removed }: KeptRows, keptBefore: number): number {
  // Before the removed place p, which is the i-th one (from 0), there are p - 1 - i kept ones.
  const removedBefore = indexOfFirst(removed.length, (at) => (removed[at] as number) - 1 - at > keptBefore);
  return keptBefore + removedBefore + 1;
}

/** The removed places from one place to another, both included. */
export function removedBetween({ removed }: KeptRows, from: number, to: number): Int32Array {
  const first = indexOfFirst(removed.length, (at) => (removed[at] as number) >= from);
  const next = indexOfFirst(removed.length, (at) => (removed[at] as number) > to);
  return removed.subarray(first, next);
}

/** The lowest of `count` indexes that holds a condition which all higher ones hold too; `count` if none does. */
function indexOfFirst(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
