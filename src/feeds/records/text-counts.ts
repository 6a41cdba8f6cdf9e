// The texts of a column with how many rows have each, for people to choose from.
import type { Caller } from "../../accounts/keys/caller.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { FilteredColumn } from "../catalogue.ts";
import { requireEntitled, requireFresh } from "../entitlement.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import { columnArray, columnTexts } from "../versions/column-arrays.ts";
import { type FeedVersion, keyOf } from "../versions/feed-version.ts";
import { onVersion } from "../versions/versions.ts";
import { selectionOf } from "./selection.ts";
import { type VisibleRows, valueCounts, visibleRowsOf } from "./visible-rows.ts";

export interface TextCount {
  text: string;
  rows: number;
}

const CACHE_BYTES = 4 * 1024 * 1024;
/** About what an entry of a list takes besides its text, which is the version's own. */
const COUNT_BYTES = 64;
const countsOf = perDatabase(() =>
  createByteCache<readonly TextCount[]>(CACHE_BYTES, (counts) => counts.length * COUNT_BYTES),
);

/**
 * The texts of a column among the rows that the plan has of a feed's current version, the most frequent first. Free. ProblemErrors as
 * for a page of records, without quota_exceeded.
 */
export function textCounts(
  context: Context,
  caller: Caller,
  feedCode: string,
  column: FilteredColumn,
): Promise<readonly TextCount[]> {
  const { feed, regions: planRegions } = requireEntitled(caller, feedCode);
  return onVersion(context, feed, undefined, async (version) => {
    requireFresh(context, feed, version.asOf);
    const selection = selectionOf(feed, [], { asOf: version.asOf, planRegions, since: undefined });
    const key = `${keyOf(version)} ${version.removals.key} ${column} ${selection.key}`;
    return countsOf(context.db).get(key, async () =>
      countTexts(context, version, column, await visibleRowsOf(context, version, selection)),
    );
  });
}

async function countTexts(
  context: Context,
  version: FeedVersion,
  column: FilteredColumn,
  visible: VisibleRows,
): Promise<TextCount[]> {
  const [array, texts] = await Promise.all([
    columnArray(context, version, column),
    columnTexts(context, version, column),
  ]);
  return valueCounts(visible, array, texts)
    .flatMap(({ value, rows }) => (value === null ? [] : [{ text: value, rows }]))
    .sort((a, b) => b.rows - a.rows || (a.text < b.text ? -1 : 1));
}
