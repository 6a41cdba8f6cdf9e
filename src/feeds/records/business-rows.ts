// The rows of businesses in several feeds, by their USDOT numbers. Few are found by a statement, which gives their JSON too.
// Many are found in the packed numbers of each version, and read from its file: a connection of the database is slow when
// it touches so many scattered pages for the first time.
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { groupLoader } from "../../platform/database/tick-loader.ts";
import { readLines } from "../row-files/read-lines.ts";
import { columnArray } from "../versions/column-arrays.ts";
import {
  type FeedVersion,
  fromVersion,
  keyOf,
  type PublishedVersion,
  readRows,
  versionTable,
} from "../versions/feed-version.ts";
import { wordsOf } from "../versions/packed-columns.ts";
import { UnpackedColumnError } from "../versions/packing.ts";
import { completeRecord } from "../versions/version-columns.ts";

/** A version, and the states of which a caller sees its rows; null: all. */
export interface SeenVersion {
  version: FeedVersion;
  regions: readonly string[] | null;
}

/** A record of a business as JSON, with the version that it is of. */
export interface BusinessRecord {
  usdot: number;
  version: FeedVersion;
  state: string | null;
  json: string;
}

/** The records of a business that are seen, in the order of the versions and of their rows. VersionGoneError. */
export async function recordsOfBusiness(
  context: Context,
  seen: readonly SeenVersion[],
  usdot: number,
): Promise<BusinessRecord[]> {
  if (seen.length === 0) return [];
  const versions = seen.map(({ version }) => version);
  return seenRecords(seen, await loaderOf(context.db).load({ versions, usdot }));
}

/** The same of many businesses, by USDOT number. One that has none is not in it. */
export async function recordsOfBusinesses(
  context: Context,
  seen: readonly SeenVersion[],
  usdots: readonly number[],
): Promise<ReadonlyMap<number, BusinessRecord[]>> {
  if (seen.length === 0 || usdots.length === 0) return new Map();
  const versions = seen.map(({ version }) => version);
  const rows = usdots.length < MANY ? null : await readMany(context, versions, usdots);
  return Map.groupBy(
    seenRecords(seen, rows ?? (await findRows(context, versions, usdots))),
    ({ usdot }) => usdot,
  );
}

/** So many numbers are worth a look at the numbers of all rows. */
const MANY = 64;

/** A row of a business: in which of the versions, at which position. */
interface Row {
  usdot: number;
  part: number;
  pos: number;
  state: string | null;
  json: string;
}

const seenRecords = (seen: readonly SeenVersion[], rows: readonly Row[]): BusinessRecord[] =>
  rows.flatMap(({ usdot, part, pos, state, json }) => {
    const { version, regions } = seen[part] as SeenVersion;
    const isSeen =
      (regions === null || (state !== null && regions.includes(state))) &&
      !version.removals.positions.includes(pos);
    return isSeen ? [{ usdot, version, state, json: completeRecord(version.columns, json) }] : [];
  });

interface Asked {
  versions: readonly PublishedVersion[];
  usdot: number;
}

// Requests of one event-loop turn that read the same versions share a statement.
const loaderOf = perDatabase((db) =>
  groupLoader<Asked, Row[]>(
    ({ versions }) => versions.map(keyOf).join(),
    async (group) => {
      const usdots = [...new Set(group.map(({ usdot }) => usdot))];
      const rows = await findRows({ db }, group[0].versions, usdots);
      const byUsdot = Map.groupBy(rows, ({ usdot }) => usdot);
      return ({ usdot }) => byUsdot.get(usdot) ?? [];
    },
  ),
);

/** In the order of the versions; those of a business in the order of its rows. */
async function findRows(
  context: Pick<Context, "db">,
  versions: readonly PublishedVersion[],
  usdots: readonly number[],
): Promise<Row[]> {
  // One scan of each index finds many numbers. A scan for each number takes twice as long.
  const parts = versions.map(
    ({ id }, part) =>
      `SELECT ${part} AS part, usdot, pos, state, json FROM ${versionTable(id)} WHERE usdot = ANY ($1::int[])`,
  );
  const text = parts.join("\nUNION ALL\n");
  const name = `business in ${versions.map(({ id }) => id).join()}`;
  const { rows } = await fromVersion(versions[0] as PublishedVersion, () =>
    readRows(context, versions, ({ pool }) => dynamic(pool, text, [usdots], { name })),
  );
  return (rows as Row[]).sort((a, b) => a.part - b.part || a.pos - b.pos);
}

/** The same for many businesses; null when the numbers of a version are not packed, as those of earlier releases. */
async function readMany(
  context: Context,
  versions: readonly PublishedVersion[],
  usdots: readonly number[],
): Promise<Row[] | null> {
  try {
    const parts = versions.map((version, part) => readPart(context, version, { part, usdots }));
    return (await Promise.all(parts)).flat();
  } catch (error) {
    if (error instanceof UnpackedColumnError) return null;
    throw error;
  }
}

async function readPart(
  context: Context,
  version: PublishedVersion,
  { part, usdots }: { part: number; usdots: readonly number[] },
): Promise<Row[]> {
  const numbers = await columnArray(context, version, "usdot");
  const states = await columnArray(context, version, "state");
  const words = wordsOf(version.feed, "state");
  const positions = positionsOfNumbers(numbers, usdots);
  if (positions.length === 0) return [];
  const lines = String(await readLines(context, version, positions)).split("\n");
  return Array.from(positions, (pos, index) => ({
    usdot: numbers[pos - 1] as number,
    part,
    pos,
    state: words[states[pos - 1] as number] ?? null,
    json: lines[index] as string,
  }));
}

/** The positions of the rows that have one of the numbers, ascending. */
function positionsOfNumbers(numbers: Int8Array | Int32Array, wanted: readonly number[]): Int32Array {
  const asked = new Set(wanted);
  // Nearly all rows are passed by without a look at the set, which takes ten times as long.
  const lastBits = new Uint8Array(LAST_BITS + 1);
  for (const number of wanted) lastBits[number & LAST_BITS] = 1;
  const found: number[] = [];
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] as number;
    if (lastBits[number & LAST_BITS] === 1 && asked.has(number)) found.push(row + 1);
  }
  return Int32Array.from(found);
}

const LAST_BITS = 0xffff;
