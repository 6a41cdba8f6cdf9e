import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { indexOfFirst } from "../../platform/index-of-first.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import { type ColumnArray, columnArray, columnTexts, NULL_VALUE } from "../versions/column-arrays.ts";
import { type FeedVersion, keyOf, type PublishedVersion } from "../versions/feed-version.ts";
import { type Condition, meetsText, type Selection } from "./selection.ts";

const LISTS_CACHE_BYTES = 16 * 1024 * 1024;
const listsOf = perDatabase(() => createByteCache<Int32Array>(LISTS_CACHE_BYTES, (list) => list.byteLength));

/**
 * The positions of the selected rows in the version, removed ones included: row numbers from 1, ascending. Null for the
 * whole version. One scan per version and selection.
 */
export async function positionsOf(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  selection: Selection,
): Promise<Int32Array | null> {
  if (selection.conditions.length === 0) return null;
  return listsOf(context.db).get(`${keyOf(version)} ${selection.key}`, () =>
    scan(context, version, selection),
  );
}

async function scan(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  selection: Selection,
): Promise<Int32Array> {
  const tests: RowTest[] = [];
  for (const condition of selection.conditions) tests.push(await testOf(context, version, condition));
  const found = new Int32Array(version.rowCount);
  for (let row = 0; row < version.rowCount; row++) found[row] = row;
  let count = version.rowCount;
  for (const narrow of tests) count = narrow(found, count);
  for (let index = 0; index < count; index++) found[index] = (found[index] as number) + 1;
  // A copy would leave megabytes of garbage: this gives the rest back at once.
  return new Int32Array(found.buffer.transfer(count * Int32Array.BYTES_PER_ELEMENT));
}

/** Moves the rows, among the first `count`, that meet the condition to the front; returns their number. */
type RowTest = (rows: Int32Array, count: number) => number;

async function testOf(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  condition: Condition,
): Promise<RowTest> {
  if (condition.kind === "since") {
    const [first, second] = condition.columns;
    const firstArray = await columnArray(context, version, first);
    return sinceTest(firstArray, await columnArray(context, version, second), condition.day);
  }
  const array = await columnArray(context, version, condition.column);
  switch (condition.kind) {
    case "codes":
      return codesTest(array, condition.codes);
    case "bits":
      return bitsTest(array, condition.bits);
    case "contains":
    case "texts": {
      const texts = await columnTexts(context, version, condition.column);
      const codes = [...texts.keys()].filter((index) => meetsText(condition, texts[index] as string));
      return codesTest(array, codes, texts.length);
    }
    case "range":
      return rangeTest(array, condition.min ?? NULL_VALUE + 1, condition.max ?? Number.MAX_SAFE_INTEGER);
  }
}

// Each condition has its own loop: one loop with a callback takes several times as long over hundreds of thousands of
// rows, and a scan blocks every other request of the process.

function codesTest(array: ColumnArray, codes: readonly number[], words = 128): RowTest {
  const isAsked = new Uint8Array(words);
  for (const code of codes) isAsked[code] = 1;
  return (rows, count) => {
    let found = 0;
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number;
      // Null is negative, and no index of the table is.
      if (isAsked[array[row] as number] === 1) rows[found++] = row;
    }
    return found;
  };
}

function bitsTest(array: ColumnArray, bits: number): RowTest {
  return (rows, count) => {
    let found = 0;
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number;
      if (((array[row] as number) & bits) !== 0) rows[found++] = row;
    }
    return found;
  };
}

function rangeTest(array: ColumnArray, min: number, max: number): RowTest {
  const least = Math.max(min, NULL_VALUE + 1);
  return (rows, count) => {
    let found = 0;
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number;
      const value = array[row] as number;
      if (value >= least && value <= max) rows[found++] = row;
    }
    return found;
  };
}

function sinceTest(first: ColumnArray, second: ColumnArray, day: number): RowTest {
  return (rows, count) => {
    let found = 0;
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number;
      if ((first[row] as number) >= day || (second[row] as number) >= day) rows[found++] = row;
    }
    return found;
  };
}

/** The rows of a version that an answer may show: the selected ones without the removed ones. */
export interface VisibleRows {
  /** Positions of the selected rows, ascending; null: every row of the version. */
  listed: Int32Array | null;
  /** 1-based indexes into `listed` of rows removed since publication, ascending; when `listed` is null, positions. */
  removed: Int32Array;
  count: number;
}

const INDEXES_CACHE_BYTES = 4 * 1024 * 1024;
// A cache of its own: the lists of positions stay the same when rows are removed.
const removedIndexes = perDatabase(() =>
  createByteCache<Int32Array>(INDEXES_CACHE_BYTES, (indexes) => indexes.byteLength),
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

/** Whether the row was removed since the version was published. */
export function isRemoved({ removals: { positions } }: FeedVersion, pos: number): boolean {
  return positions[indexOfFirst(positions.length, (at) => (positions[at] as number) >= pos)] === pos;
}

/**
 * How many visible rows have each value of a column, by its array; null stands for none of the values. What no row has is left
 * out.
 */
export function valueCounts(
  { listed, removed }: VisibleRows,
  array: ColumnArray,
  values: readonly string[],
): { value: string | null; rows: number }[] {
  const counts = new Int32Array(values.length + 1);
  const count = (index: number, by: 1 | -1): void => {
    const row = listed === null ? index : (listed[index] as number) - 1;
    const code = array[row] as number;
    const place = code >= 0 && code < values.length ? code : values.length;
    counts[place] = (counts[place] as number) + by;
  };
  const total = listed?.length ?? array.length;
  for (let index = 0; index < total; index++) count(index, 1);
  for (const index of removed) count(index - 1, -1);
  return Array.from(counts, (rows, code) => ({ value: values[code] ?? null, rows })).filter(
    ({ rows }) => rows > 0,
  );
}
