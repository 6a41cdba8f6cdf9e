import { setTimeout as wait } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import * as sql from "../../generated/sql/feeds/versions.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { createByteCache } from "./byte-cache.ts";
import { keyOf, type PublishedVersion, readRows, VersionGoneError } from "./feed-version.ts";
import { KEY_COLUMNS, type KeyColumn, type PackedName, packedColumns } from "./packed-columns.ts";
import { UnpackedColumnError } from "./packing.ts";

/**
 * One value per row, in row order: the index of a word or a text, bits, a count, or days since 1970-01-01. Indexes of words
 * fit one byte.
 */
export type ColumnArray = Int8Array | Int32Array;

/** Null in packed columns and in all arrays but those of words: below all other values, and no bit of a word. */
export const NULL_VALUE = -2_147_483_648;
/** Null in arrays of word indexes. */
const NULL_WORD = -1;

const CACHE_BYTES = 24 * 1024 * 1024;
const cacheOf = perDatabase(() => createByteCache<ColumnArray>(CACHE_BYTES, (array) => array.byteLength));

/** A packed column of a version, loaded once. VersionGoneError; UnpackedColumnError when it must be packed first. */
export function columnArray(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  name: PackedName | KeyColumn,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<ColumnArray> {
  const key = `${keyOf(version)} ${name}`;
  return cacheOf(context.db).get(key, () => load(context, version, name, rowsAtOnce));
}

async function load(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  name: PackedName | KeyColumn,
  rowsAtOnce: number,
): Promise<ColumnArray> {
  const hasWords = packedColumns(version.feed).get(name as PackedName)?.form === "word";
  const array = new (hasWords ? Int8Array : Int32Array)(version.rowCount);
  const nullValue = hasWords ? NULL_WORD : NULL_VALUE;
  for (let from = 0; from < version.rowCount; from += rowsAtOnce) {
    const packed = await packedFrom(context, version, name, { from, count: rowsAtOnce });
    for (let at = 0; 4 * at < packed.length; at++) {
      const value = packed.readInt32BE(4 * at);
      array[from + at] = value === NULL_VALUE ? nullValue : value;
    }
  }
  return array;
}

/** A column is read in parts: for a whole one the driver would use ten times its bytes and not return the memory. */
const ROWS_AT_ONCE = 64 * 1024;

async function packedFrom(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  name: PackedName | KeyColumn,
  { from, count }: { from: number; count: number },
): Promise<Buffer> {
  return readRows(context, [version], async ({ pool }) => {
    const row = await sql.partOfColumn(pool, {
      versionId: version.id,
      name,
      first: 4 * from + 1,
      count: 4 * count,
    });
    if (!row) throw new VersionGoneError(version);
    if (row.part === null || row.size !== 4 * version.rowCount) throw new UnpackedColumnError(version, name);
    return row.part;
  });
}

const TEXTS_CACHED = 32;
const textsOf = perDatabase(() => new LRUCache<string, readonly string[]>({ max: TEXTS_CACHED }));

/** The texts of a column of free text in a version, by index. VersionGoneError; UnpackedColumnError as for its array. */
export async function columnTexts(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  name: PackedName,
): Promise<readonly string[]> {
  if (version.rowCount === 0) return [];
  const cache = textsOf(context.db);
  const key = `${keyOf(version)} ${name}`;
  const known = cache.get(key);
  if (known) return known;
  return readRows(context, [version], async ({ pool }) => {
    const row = await sql.textsOfColumn(pool, { versionId: version.id, name });
    if (!row) throw new VersionGoneError(version);
    if (row.texts === null) throw new UnpackedColumnError(version, name);
    cache.set(key, row.texts);
    return row.texts;
  });
}

// Requests run in the pauses. Right after a publication the server is also busy with the clean-up after the import.
const PRELOAD_PAUSE_MS = 50;
/** Fewer than for a request that waits: each part keeps other requests waiting. */
const PRELOADED_AT_ONCE = 16 * 1024;

/** Loads the version's filter columns one by one with pauses, so that the first request need not wait. */
export async function preloadColumns(context: Pick<Context, "db">, version: PublishedVersion): Promise<void> {
  const keys = KEY_COLUMNS.map(({ name }) => name);
  for (const name of [...packedColumns(version.feed).keys(), ...keys]) {
    await wait(PRELOAD_PAUSE_MS, undefined, { ref: false });
    await columnArray(context, version, name, PRELOADED_AT_ONCE);
  }
}
