// The rows of businesses in several feeds, by their USDOT numbers: from the files of the versions, and by a statement as long
// as it is not known where the rows are.
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { groupLoader } from "../../platform/database/tick-loader.ts";
import { readLines } from "../row-files/read-lines.ts";
import { type BusinessPlaces, knownPlaces, placesOfBusinesses } from "../versions/business-index.ts";
import {
  type FeedVersion,
  fromVersion,
  keyOf,
  type PublishedVersion,
  readRows,
  versionTable,
} from "../versions/feed-version.ts";
import { UnpackedColumnError } from "../versions/packing.ts";
import { completeBytes } from "../versions/version-columns.ts";
import { isRemoved } from "./visible-rows.ts";

/** A version, and the states of which a caller sees its rows; null: all. */
export interface SeenVersion {
  version: FeedVersion;
  regions: readonly string[] | null;
}

/** A record of a business as JSON in bytes, with the version that it is of. The bytes are lent, as readLines says. */
export interface BusinessRecord {
  usdot: number;
  version: FeedVersion;
  state: string | null;
  json: Buffer;
}

/** The records of a business that are seen, in the order of the versions and of their rows. VersionGoneError. */
export async function recordsOfBusiness(
  context: Context,
  seen: readonly SeenVersion[],
  usdot: number,
): Promise<BusinessRecord[]> {
  if (seen.length === 0) return [];
  const versions = seen.map(({ version }) => version);
  const rows =
    (await readFromFiles(context, versions, [usdot])) ??
    (await loaderOf(context.db).load({ versions, usdot }));
  return seenRecords(seen, rows);
}

/** The same of many businesses, by USDOT number. One that has none is not in it. */
export async function recordsOfBusinesses(
  context: Context,
  seen: readonly SeenVersion[],
  usdots: readonly number[],
): Promise<ReadonlyMap<number, BusinessRecord[]>> {
  if (seen.length === 0 || usdots.length === 0) return new Map();
  const [versions, asked] = [seen.map(({ version }) => version), [...new Set(usdots)]];
  const rows = (await readFromFiles(context, versions, asked)) ?? (await findRows(context, versions, asked));
  return Map.groupBy(seenRecords(seen, rows), ({ usdot }) => usdot);
}

/** So many businesses are worth making an index of all rows for. */
const MANY = 64;

/** A row of a business: in which of the versions, at which position. */
interface Row {
  usdot: number;
  part: number;
  pos: number;
  state: string | null;
  json: Buffer;
}

function seenRecords(seen: readonly SeenVersion[], rows: readonly Row[]): BusinessRecord[] {
  const records: BusinessRecord[] = [];
  for (const { usdot, part, pos, state, json } of rows) {
    const { version, regions } = seen[part] as SeenVersion;
    if (regions !== null && (state === null || !regions.includes(state))) continue;
    if (isRemoved(version, pos)) continue;
    records.push({ usdot, version, state, json: completeBytes(version.columns, json) });
  }
  return records;
}

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
  // One scan of each index finds many numbers. A scan for each number takes twice as long. The numbers are in a SELECT, so
  // that the statement is planned once, see docs/typed-sql.md.
  const parts = versions.map(
    ({ id }, part) =>
      `SELECT ${part} AS part, usdot, pos, state, json FROM ${versionTable(id)} WHERE usdot = ANY ((SELECT $1::int[])::int[])`,
  );
  const text = parts.join("\nUNION ALL\n");
  const name = `business in ${versions.map(({ id }) => id).join()}`;
  const { rows } = await fromVersion(versions[0] as PublishedVersion, () =>
    readRows(context, versions, ({ pool }) => dynamic(pool, text, [usdots], { name })),
  );
  const found = (rows as (Omit<Row, "json"> & { json: string })[]).map((row) => ({
    ...row,
    json: Buffer.from(row.json),
  }));
  return found.sort((a, b) => a.part - b.part || a.pos - b.pos);
}

/**
 * The same from the files of the versions; null when the places of few businesses are not known yet, or can't be, because the
 * numbers of a version are not packed, as those of earlier releases.
 */
async function readFromFiles(
  context: Context,
  versions: readonly PublishedVersion[],
  usdots: readonly number[],
): Promise<Row[] | null> {
  try {
    const places =
      usdots.length < MANY
        ? versions.map((version) => knownPlaces(context, version, usdots))
        : await Promise.all(versions.map((version) => placesOfBusinesses(context, version, usdots)));
    if (!places.every((each) => each !== null)) return null;
    const parts = places.flatMap((found, part) =>
      found.positions.length === 0
        ? []
        : [readPart(context, versions[part] as PublishedVersion, part, found)],
    );
    return (await Promise.all(parts)).flat();
  } catch (error) {
    if (error instanceof UnpackedColumnError) return null;
    throw error;
  }
}

async function readPart(
  context: Context,
  version: PublishedVersion,
  part: number,
  { positions, usdotAt, stateAt }: BusinessPlaces,
): Promise<Row[]> {
  const lines = await readLines(context, version, positions);
  let start = 0;
  return Array.from(positions, (pos) => {
    const end = lines.indexOf(LF, start);
    const json = lines.subarray(start, end);
    start = end + 1;
    return { usdot: usdotAt(pos), part, pos, state: stateAt(pos), json };
  });
}

const LF = 0x0a;
