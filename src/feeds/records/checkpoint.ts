import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Caller } from "../../accounts/keys/caller.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { type ColumnArray, columnArray } from "../versions/column-arrays.ts";
import { type FeedVersion, keyOf } from "../versions/feed-version.ts";
import { UnpackedColumnError } from "../versions/packing.ts";
import type { Selection } from "./selection.ts";
import { type VisibleRows, visibleRowsOf } from "./visible-rows.ts";

/** What a copy of a version's selected records can be compared with. */
export interface Checkpoint {
  version: number;
  rows: number;
  /** 16 hexadecimal digits: the sum of the records' hashes modulo 2^64, so that their order does not matter. */
  digest: string;
  /** Grows with the removal list and with the states of the caller's plan; null: unknown. */
  removals: number | null;
}

const CHECKPOINTS_CACHED = 2_000;
const digestsOf = perDatabase(() => new LRUCache<string, string>({ max: CHECKPOINTS_CACHED }));

/**
 * The checkpoint of the selected rows that are not removed; null for a version of an earlier release, which has no
 * hashes. It reads two small integers of each row, once per version, selection and state of the removal list.
 */
export async function checkpointOf(
  context: Pick<Context, "db">,
  caller: CheckpointReader,
  version: FeedVersion,
  selection: Selection,
): Promise<Checkpoint | null> {
  const visible = await visibleRowsOf(context, version, selection);
  const cache = digestsOf(context.db);
  const key = `${keyOf(version)} ${version.removals.key} ${selection.key}`;
  const known = cache.get(key) ?? (await digestOf(context, version, visible));
  if (known === null) return null;
  cache.set(key, known);
  return {
    version: version.id,
    rows: visible.count,
    digest: known,
    removals: removalsNumber(caller, version),
  };
}

/** A caller; undefined: nobody, who sees every state. */
export type CheckpointReader = Pick<Caller, "feedsNumber"> | undefined;

/** The number of the last change that hid or showed a record of the version to the caller. */
export const removalsNumber = (caller: CheckpointReader, { removals }: FeedVersion): number =>
  Math.max(removals.number, caller?.feedsNumber ?? 0);

async function digestOf(
  context: Pick<Context, "db">,
  version: FeedVersion,
  { listed, removed }: VisibleRows,
): Promise<string | null> {
  try {
    const high = await columnArray(context, version, "digest_high");
    const low = await columnArray(context, version, "digest_low");
    // Subtracted, because a look at `removed` for each row takes several times as long as the sum.
    const notShown = listed === null ? removed : removed.map((index) => listed[index - 1] as number);
    return digestText(sumOf(listed, high, low) - sumOf(notShown, high, low));
  } catch (error) {
    if (error instanceof UnpackedColumnError) return null;
    throw error;
  }
}

/** A sum of hashes, which may be negative or large, as a checkpoint shows it. */
export const digestText = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, "0");

/** Sums of so many 32-bit numbers are exact in a double. */
const EXACT_ROWS = 2 ** 20;

/** The sum of the hashes at these positions; null: of all rows. */
function sumOf(positions: Int32Array | null, high: ColumnArray, low: ColumnArray): bigint {
  const rows = positions?.length ?? high.length;
  let total = 0n;
  for (let from = 0; from < rows; from += EXACT_ROWS) {
    const to = Math.min(from + EXACT_ROWS, rows);
    let [highs, lows] = [0, 0];
    for (let at = from; at < to; at++) {
      const row = positions === null ? at : (positions[at] as number) - 1;
      highs += high[row] as number;
      lows += (low[row] as number) >>> 0;
    }
    total += (BigInt(highs) << 32n) + BigInt(lows);
  }
  return total;
}

/**
 * A strong entity tag of an answer, derived from the version, its removed rows and `parts`. `parts` must name everything
 * else on which the answer's bytes depend.
 */
export function etagOf(version: FeedVersion, parts: readonly unknown[]): string {
  // Another release of the program may add other missing columns to the version's records.
  const { missing } = version.columns;
  const all = missing.length === 0 ? parts : [...parts, missing];
  const text = JSON.stringify([version.id, version.publishedAtMs, version.removals.key, ...all]);
  return `"${version.id}-${hash("sha256", text, "base64url").slice(0, 22)}"`;
}

/** Whether If-None-Match names the tag. RFC 9110 section 13.1.2: compared weakly, `*` is any. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
