// A page of a feed for a person to look at, in the order that the person wants.
import type { Caller } from "../../accounts/keys/caller.ts";
import { countPreview } from "../../accounts/usage/quota.ts";
import type { Context } from "../../platform/context.ts";
import { requireEntitled, requireFresh } from "../entitlement.ts";
import { readRecordsAt } from "../row-files/read-lines.ts";
import { columnArray } from "../versions/column-arrays.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import type { PackedName } from "../versions/packed-columns.ts";
import { UnpackedColumnError } from "../versions/packing.ts";
import { onVersion } from "../versions/versions.ts";
import { parseFilters } from "./filters.ts";
import { rowsOfPage } from "./page.ts";
import type { FeedQuery } from "./records.ts";
import { type Selection, selectionOf } from "./selection.ts";
import { type Sort, sortableColumns, sortedPositions } from "./sorted-rows.ts";
import { type VisibleRows, visibleRowsOf } from "./visible-rows.ts";

export interface LookQuery extends Pick<FeedQuery, "filters" | "since"> {
  /** Null: in the feed's own order. */
  sort: Sort | null;
  /** The last page is shown instead of one behind it. */
  page: number;
  pageSize: number;
}

export interface Look {
  records: Record<string, unknown>[];
  page: number;
  /** All rows that match, and how many businesses they are of; null where a version of an earlier release does not tell. */
  rows: number;
  businesses: number | null;
  asOf: string;
  /** The columns by which the rows of this version can be sorted. */
  sortable: readonly PackedName[];
}

/**
 * A page of a feed's rows. It is free, but each account has a daily limit of them. ProblemErrors as for a page of the API,
 * and rate_limited instead of quota_exceeded.
 */
export async function lookAtRecords(
  context: Context,
  caller: Caller,
  feedCode: string,
  query: LookQuery,
): Promise<Look> {
  const { feed, regions: planRegions } = requireEntitled(caller, feedCode);
  const look = await onVersion(context, feed, undefined, async (version) => {
    const asked = parseFilters(feed, query.filters, "readRecords");
    const selection = selectionOf(feed, asked, { asOf: version.asOf, planRegions, since: query.since });
    requireFresh(context, feed, version.asOf);
    const visible = await visibleRowsOf(context, version, selection);
    const page = Math.max(1, Math.min(query.page, Math.ceil(visible.count / query.pageSize)));
    return {
      records: await recordsOf(context, version, { ...query, page, selection, visible }),
      page,
      rows: visible.count,
      businesses: await businessesIn(context, version, visible),
      asOf: version.asOf,
      sortable: sortableColumns(feed).filter((name) => !version.columns.missing.includes(name)),
    };
  });
  await countPreview(context, caller);
  return look;
}

async function recordsOf(
  context: Context,
  version: FeedVersion,
  { sort, page, pageSize, selection, visible }: LookQuery & { selection: Selection; visible: VisibleRows },
): Promise<Record<string, unknown>[]> {
  if (visible.count === 0) return [];
  if (sort === null) {
    const { positions } = rowsOfPage(visible, { page, pageSize });
    return (await readRecordsAt(context, version, positions)).map((json) => JSON.parse(json));
  }
  const sorted = await sortedPositions(context, version, selection, sort);
  const shown = pageOf(sorted, new Set(version.removals.positions), { page, pageSize });
  // Rows are read in the order of the file.
  const ascending = Int32Array.from(shown).sort();
  const lines = await readRecordsAt(context, version, ascending);
  const byPosition = new Map(lines.map((json, index) => [ascending[index], json]));
  return shown.map((position) => JSON.parse(byPosition.get(position) as string));
}

/** The positions of a page, without removed ones. */
function pageOf(
  sorted: Int32Array,
  removed: ReadonlySet<number>,
  { page, pageSize }: { page: number; pageSize: number },
): number[] {
  const start = (page - 1) * pageSize;
  if (removed.size === 0) return [...sorted.subarray(start, start + pageSize)];
  const shown: number[] = [];
  let visible = 0;
  for (const position of sorted) {
    if (removed.has(position)) continue;
    if (visible >= start) shown.push(position);
    visible += 1;
    if (visible === start + pageSize) break;
  }
  return shown;
}

async function businessesIn(
  context: Context,
  version: FeedVersion,
  { listed, count }: VisibleRows,
): Promise<number | null> {
  if (version.feed.recordKey.length === 1 || count === 0) return count;
  try {
    const numbers = await columnArray(context, version, "usdot");
    return distinct(numbers, listed, new Set(version.removals.positions));
  } catch (error) {
    if (error instanceof UnpackedColumnError) return null;
    throw error;
  }
}

/** USDOT numbers have at most 8 digits, so a bit for each is at most 12 MB, and as a rule less than one. */
function distinct(
  numbers: Int8Array | Int32Array,
  listed: Int32Array | null,
  removed: ReadonlySet<number>,
): number {
  let most = 0;
  for (const number of numbers) if (number > most) most = number;
  const seen = new Uint8Array((most >>> 3) + 1);
  let found = 0;
  const rows = listed?.length ?? numbers.length;
  for (let index = 0; index < rows; index++) {
    const row = listed === null ? index : (listed[index] as number) - 1;
    if (removed.size > 0 && removed.has(row + 1)) continue;
    const number = numbers[row] as number;
    const bit = 1 << (number & 7);
    if (((seen[number >>> 3] as number) & bit) !== 0) continue;
    seen[number >>> 3] = (seen[number >>> 3] as number) | bit;
    found += 1;
  }
  return found;
}
