import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Selection } from "../records/selection.ts";
import { type VisibleRows, visibleRowsOf } from "../records/visible-rows.ts";
import { type ColumnArray, columnArray } from "../versions/column-arrays.ts";
import { type FeedVersion, keyOf } from "../versions/feed-version.ts";
import { UnpackedColumnError } from "../versions/repack.ts";

/** What a copy of a version's selected records can be compared with. */
export interface Checkpoint {
  version: number;
  rows: number;
  /** 16 hexadecimal digits: the sum of the records' hashes modulo 2^64, so that their order does not matter. */
  digest: string;
}

const CHECKPOINTS_CACHED = 2_000;
const digestsOf = perDatabase(() => new LRUCache<string, string>({ max: CHECKPOINTS_CACHED }));

/**
 * The checkpoint of the selected rows that are not removed; null for a version of an earlier release, which has no
 * hashes. It reads two small integers of each row, once per version, selection and state of the removal list.
 */
export async function checkpointOf(
  context: Pick<Context, "db">,
  version: FeedVersion,
  selection: Selection,
): Promise<Checkpoint | null> {
  const visible = await visibleRowsOf(context, version, selection);
  const cache = digestsOf(context.db);
  const key = `${keyOf(version)} ${version.removals.key} ${selection.key}`;
  const known = cache.get(key) ?? (await digestOf(context, version, visible));
  if (known === null) return null;
  cache.set(key, known);
  return { version: version.id, rows: visible.count, digest: known };
}

async function digestOf(
  context: Pick<Context, "db">,
  version: FeedVersion,
  visible: VisibleRows,
): Promise<string | null> {
  try {
    const high = await columnArray(context, version, "digest_high");
    const low = await columnArray(context, version, "digest_low");
    const total = sumOf(version.rowCount, visible, high, low);
    return digestText(total);
  } catch (error) {
    if (error instanceof UnpackedColumnError) return null;
    throw error;
  }
}

/** A sum of hashes, which may be negative or large, as a checkpoint shows it. */
export const digestText = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, "0");

/** Sums of so many 32-bit numbers are exact in a double. */
const EXACT_ROWS = 2 ** 20;

function sumOf(
  rowCount: number,
  { listed, removed }: VisibleRows,
  high: ColumnArray,
  low: ColumnArray,
): bigint {
  const rows = listed?.length ?? rowCount;
  let [total, highs, lows, nextRemoved] = [0n, 0, 0, 0];
  for (let at = 0; at < rows; at++) {
    if (removed[nextRemoved] === at + 1) {
      nextRemoved += 1;
    } else {
      const row = listed === null ? at : (listed[at] as number) - 1;
      highs += high[row] as number;
      lows += (low[row] as number) >>> 0;
    }
    if (at % EXACT_ROWS === EXACT_ROWS - 1) {
      total += (BigInt(highs) << 32n) + BigInt(lows);
      [highs, lows] = [0, 0];
    }
  }
  return total + (BigInt(highs) << 32n) + BigInt(lows);
}
