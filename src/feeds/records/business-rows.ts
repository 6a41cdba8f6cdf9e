// The rows of a business in several feeds, by its USDOT number.
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { groupLoader } from "../../platform/database/tick-loader.ts";
import { readRecordsAt } from "../row-files/read-lines.ts";
import {
  type FeedVersion,
  fromVersion,
  keyOf,
  type PublishedVersion,
  readRows,
  versionTable,
} from "../versions/feed-version.ts";

/** A version, and the states of which a caller sees its rows; null: all. */
export interface SeenVersion {
  version: FeedVersion;
  regions: readonly string[] | null;
}

/** A record of a business as JSON, with the version that it is of. */
export interface BusinessRecord {
  version: FeedVersion;
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
  const places = await loaderOf(context.db).load({ versions, usdot });
  const found = seen.map(async ({ version, regions }, index) => {
    const isSeen = ({ part, state, pos }: Place): boolean =>
      part === index &&
      (regions === null || (state !== null && regions.includes(state))) &&
      !version.removals.positions.includes(pos);
    const positions = Int32Array.from(places.filter(isSeen), ({ pos }) => pos);
    if (positions.length === 0) return [];
    return (await readRecordsAt(context, version, positions)).map((json) => ({ version, json }));
  });
  return (await Promise.all(found)).flat();
}

/** Where a business has a row: in which of the versions, at which position. */
interface Place {
  part: number;
  pos: number;
  state: string | null;
}

interface Asked {
  versions: readonly PublishedVersion[];
  usdot: number;
}

// Requests of one event-loop turn that read the same versions share a statement.
const loaderOf = perDatabase((db) =>
  groupLoader<Asked, Place[]>(
    ({ versions }) => versions.map(keyOf).join(),
    async (group) => {
      const places = await findPlaces({ db }, group);
      return ({ usdot }) => places.get(usdot) ?? [];
    },
  ),
);

async function findPlaces(
  context: Pick<Context, "db">,
  group: readonly Asked[],
): Promise<Map<number, Place[]>> {
  const versions = group[0]?.versions ?? [];
  const parts = versions.map(
    ({ id }, part) => `SELECT ${part} AS part, pos, state FROM ${versionTable(id)} WHERE usdot = asked.usdot`,
  );
  const text = `SELECT asked.usdot, found.* FROM unnest($1::int[]) AS asked (usdot) CROSS JOIN LATERAL (
    ${parts.join("\nUNION ALL\n")}) AS found ORDER BY part, pos`;
  const name = `business in ${versions.map(({ id }) => id).join()}`;
  const usdots = [...new Set(group.map(({ usdot }) => usdot))];
  const { rows } = await fromVersion(versions[0] as PublishedVersion, () =>
    readRows(context, versions, ({ pool }) => dynamic(pool, text, [usdots], { name })),
  );
  return Map.groupBy(rows as (Place & { usdot: number })[], ({ usdot }) => usdot);
}
