import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Feed, FilterName } from "../catalogue.ts";
import { createByteCache } from "./byte-cache.ts";
import { type PublishedVersion, VersionGoneError } from "./feed-version.ts";
import { UnpackedColumnError } from "./repack.ts";

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

/** A filter column of a version, loaded once. VersionGoneError; UnpackedColumnError where it has to be packed first. */
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
  const array = new COLUMN_ARRAYS[name](version.rowCount);
  const nullValue = array instanceof Int8Array ? NULL_CODE : NULL_VALUE;
  for (let from = 0; from < version.rowCount; from += ROWS_AT_ONCE) {
    const packed = await packedFrom(context, version, name, from);
    for (let at = 0; 4 * at < packed.length; at++) {
      const value = packed.readInt32BE(4 * at);
      array[from + at] = value === NULL_VALUE ? nullValue : value;
    }
  }
  return array;
}

/** A part of a column: in one piece, the driver would take ten times its bytes, which the process then keeps. */
const ROWS_AT_ONCE = 64 * 1024;

async function packedFrom(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  name: PackedColumn,
  from: number,
): Promise<Buffer> {
  const { rows } = await context.db.pool.query<{ part: Buffer | null; size: number | null }>({
    name: "part of a column",
    text: `SELECT substr(packed, $3, $4) AS part, octet_length(packed) AS size
           FROM feed_version LEFT JOIN feed_version_column ON version_id = id AND name = $2 WHERE id = $1`,
    values: [version.id, name, 4 * from + 1, 4 * ROWS_AT_ONCE],
  });
  const [row] = rows;
  if (!row) throw new VersionGoneError(version);
  if (row.part === null || row.size !== 4 * version.rowCount) throw new UnpackedColumnError(version, name);
  return row.part;
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

// Right after a publish the server still clears away what the import left; requests take their turns in between.
const PRELOAD_PAUSE_MS = 50;

/** Loads what requests on the version will read, one column now and then, so that the first need not wait. */
export async function preloadColumns(context: Pick<Context, "db">, version: PublishedVersion): Promise<void> {
  for (const name of columnsRead(version.feed)) {
    await wait(PRELOAD_PAUSE_MS, undefined, { ref: false });
    await columnArray(context, version, name);
  }
}
