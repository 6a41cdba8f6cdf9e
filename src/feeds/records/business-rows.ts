// The rows of businesses in several feeds, by their USDOT numbers. The statement that finds them gives their JSON too: a
// file has no index, and one read for each row would take longer.
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { groupLoader } from "../../platform/database/tick-loader.ts";
import {
  type FeedVersion,
  fromVersion,
  keyOf,
  type PublishedVersion,
  readRows,
  versionTable,
} from "../versions/feed-version.ts";
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
  const rows = await findRows(context, versions, usdots);
  return Map.groupBy(seenRecords(seen, rows), ({ usdot }) => usdot);
}

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
