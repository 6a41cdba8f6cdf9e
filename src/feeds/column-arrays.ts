import type { Context } from "../platform/context.ts";
import { createByteCache } from "./byte-cache.ts";
import type { Feed, FilterName } from "./catalogue.ts";
import { type PublishedVersion, VersionGoneError } from "./feed-version.ts";
import { perDatabase } from "./per-database.ts";

/** A packed column: which values fit one byte is known, so a large feed's columns stay small. */
const COLUMN_ARRAYS = {
  state: Int8Array,
  time_zone: Int8Array,
  phone_type: Int8Array,
  entity_type: Int8Array,
  general_freight: Int8Array,
  has_cell: Int8Array,
  power_units: Int32Array,
  authority_granted: Int32Array,
  last_verified: Int32Array,
} as const;

export type PackedColumn = keyof typeof COLUMN_ARRAYS;

/** One value per row, in row order: a place in a code list, 0 or 1, a count, or days since 1970-01-01. */
export type ColumnArray = Int8Array | Int32Array;

/** How packed columns, and arrays of counts and days, say null: below all other values. */
export const NULL_VALUE = -2_147_483_648;
/** How arrays of codes say it. */
const NULL_CODE = -1;

const CACHE_BYTES = 24 * 1024 * 1024;
const cacheOf = perDatabase(() => createByteCache<ColumnArray>(CACHE_BYTES, (array) => array.byteLength));

/** A filter column of a version, loaded once. */
export function columnArray(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  name: PackedColumn,
): Promise<ColumnArray> {
  return cacheOf(context.db).get(`${version.id} ${name}`, () => load(context, version, name));
}

async function load(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  name: PackedColumn,
): Promise<ColumnArray> {
  if (version.rowCount === 0) return new COLUMN_ARRAYS[name](0);
  const { rows } = await context.db.pool.query<{ packed: Buffer }>(
    "SELECT packed FROM feed_version_column WHERE version_id = $1 AND name = $2",
    [version.id, name],
  );
  const packed = rows[0]?.packed;
  if (!packed) throw new VersionGoneError(version);
  if (packed.length !== 4 * version.rowCount) {
    throw new Error(
      `Column ${name} of version ${version.id} has ${packed.length} bytes for ${version.rowCount} rows.`,
    );
  }
  const array = new COLUMN_ARRAYS[name](version.rowCount);
  const nullValue = array instanceof Int8Array ? NULL_CODE : NULL_VALUE;
  for (let row = 0; row < version.rowCount; row++) {
    const value = packed.readInt32BE(4 * row);
    array[row] = value === NULL_VALUE ? nullValue : value;
  }
  return array;
}

const FILTER_COLUMNS: Record<FilterName, PackedColumn> = {
  state: "state",
  trucks_min: "power_units",
  trucks_max: "power_units",
  granted_since: "authority_granted",
  min_days_in_business: "authority_granted",
  max_days_in_business: "authority_granted",
  general_freight: "general_freight",
  has_cell: "has_cell",
  time_zone: "time_zone",
  phone_type: "phone_type",
  entity_type: "entity_type",
};

/** The columns that a feed's filters, its regions and `since` read. */
const columnsRead = (feed: Feed): ReadonlySet<PackedColumn> =>
  new Set([
    "state",
    "authority_granted",
    "last_verified",
    ...feed.allowedFilters.map((filter) => FILTER_COLUMNS[filter]),
  ]);

/** Loads what requests on the version will read, one column after the other, so that the first need not wait. */
export async function preloadColumns(context: Pick<Context, "db">, version: PublishedVersion): Promise<void> {
  for (const name of columnsRead(version.feed)) await columnArray(context, version, name);
}
