// Where the rows of businesses are in a version, by their USDOT numbers. The order of a version is not that of the numbers.
import { setImmediate as pause } from "node:timers/promises";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { createByteCache } from "./byte-cache.ts";
import { type ColumnArray, columnArray } from "./column-arrays.ts";
import { keyOf, type PublishedVersion } from "./feed-version.ts";
import { wordsOf } from "./packed-columns.ts";

/** Where the rows of some businesses are, ascending, and whose each is and of which state. */
export interface BusinessPlaces {
  positions: Int32Array;
  usdotAt(position: number): number;
  stateAt(position: number): string | null;
}

/** Rows by the last bits of their numbers: those with the same bits stand together. */
interface BusinessIndex {
  numbers: ColumnArray;
  states: ColumnArray;
  /** Where the rows of some last bits begin in `rows`. */
  starts: Int32Array;
  rows: Int32Array;
}

/** Room for 1.9 million rows of the feeds that are served: a row takes up to 13 bytes. */
const CACHE_BYTES = 24 * 1024 * 1024;
const cacheOf = perDatabase(() =>
  createByteCache<BusinessIndex>(CACHE_BYTES, (index) =>
    Object.values(index).reduce((sum, { byteLength }) => sum + byteLength, 0),
  ),
);

/** Makes the index of a version, if it is not there. VersionGoneError; UnpackedColumnError when a column must be packed first. */
export async function indexBusinesses(
  context: Pick<Context, "db">,
  version: PublishedVersion,
): Promise<BusinessIndex> {
  return cacheOf(context.db).get(keyOf(version), async () => {
    const numbers = await columnArray(context, version, "usdot");
    const states = await columnArray(context, version, "state");
    return { numbers, states, ...(await orderByLastBits(numbers)) };
  });
}

/** So many entries are worked through without a pause for requests: 1 to 3 ms, in a new process up to 11 once. */
const ENTRIES_AT_ONCE = 16 * 1024;

async function inParts(count: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += ENTRIES_AT_ONCE) {
    work(from, Math.min(from + ENTRIES_AT_ONCE, count));
    await pause();
  }
}

/** An array of zeros. The system gives its memory when it is written first: all at once, if that is here and there. */
async function zeros(length: number): Promise<Int32Array> {
  const array = new Int32Array(length);
  await inParts(length, (from, to) => array.fill(0, from, to));
  return array;
}

/** Counts the rows of each ending, then puts each row in its place: from the last on, so that equal ones stay in order. */
async function orderByLastBits(numbers: ColumnArray): Promise<Pick<BusinessIndex, "starts" | "rows">> {
  const mask = 2 ** Math.floor(Math.log2(numbers.length || 1)) - 1;
  const [starts, rows] = [await zeros(mask + 2), await zeros(numbers.length)];
  const endingOf = (row: number) => (numbers[row] as number) & mask;
  await inParts(numbers.length, (from, to) => {
    for (let row = from; row < to; row++) (starts[endingOf(row)] as number)++;
  });
  let sum = 0;
  await inParts(starts.length, (from, to) => {
    for (let ending = from; ending < to; ending++) starts[ending] = sum += starts[ending] as number;
  });
  await inParts(numbers.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = numbers.length - 1 - at;
      rows[--(starts[endingOf(row)] as number)] = row;
    }
  });
  return { starts, rows };
}

/** The rows of these businesses in a version. Errors as of `indexBusinesses`. */
export const placesOfBusinesses = async (
  context: Pick<Context, "db">,
  version: PublishedVersion,
  usdots: readonly number[],
): Promise<BusinessPlaces> => placesIn(await indexBusinesses(context, version), version, usdots);

/** The same without a wait; null if the version has no index yet. */
export function knownPlaces(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  usdots: readonly number[],
): BusinessPlaces | null {
  const index = cacheOf(context.db).find(keyOf(version));
  return index === undefined ? null : placesIn(index, version, usdots);
}

const NOWHERE: BusinessPlaces = {
  positions: new Int32Array(0),
  usdotAt: () => Number.NaN,
  stateAt: () => null,
};

function placesIn(
  { numbers, states, starts, rows }: BusinessIndex,
  { feed }: PublishedVersion,
  usdots: readonly number[],
): BusinessPlaces {
  const mask = starts.length - 2;
  const found: number[] = [];
  for (const usdot of usdots) {
    const ending = usdot & mask;
    for (let at = starts[ending] as number; at < (starts[ending + 1] as number); at++) {
      const row = rows[at] as number;
      if (numbers[row] === usdot) found.push(row + 1);
    }
  }
  if (found.length === 0) return NOWHERE;
  const words = wordsOf(feed, "state");
  return {
    positions: Int32Array.from(found).sort(),
    usdotAt: (position) => numbers[position - 1] as number,
    stateAt: (position) => words[states[position - 1] as number] ?? null,
  };
}
