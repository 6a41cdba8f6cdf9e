import type { Caller } from "../../accounts/keys/caller.ts";
import { rowsLeft } from "../../accounts/usage/quota.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { verifiedOn } from "../../registry/datasets.ts";
import type { Feed } from "../catalogue.ts";
import { entitledFeeds, requireEntitled, requireFresh } from "../entitlement.ts";
import { columnArray } from "../versions/column-arrays.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { type PackedColumn, packedColumns } from "../versions/packed-columns.ts";
import { onVersion } from "../versions/versions.ts";
import { checkpointOf } from "./checkpoint.ts";
import { parseFilters, type RawFilters } from "./filters.ts";
import { selectionOf } from "./selection.ts";
import { type VisibleRows, valueCounts, visibleRowsOf } from "./visible-rows.ts";

export interface CountQuery {
  since?: string;
  version?: number;
  by?: string;
  filters: RawFilters;
}

export type CountAnswer = components["schemas"]["RecordCountOut"];

/**
 * How many records a request would read, and whether the quota has them. Free. ProblemErrors as for a page of records,
 * without quota_exceeded.
 */
export async function countRecords(
  context: Context,
  caller: Caller,
  feedCode: string,
  query: CountQuery,
): Promise<CountAnswer> {
  const { feed, regions: planRegions } = requireEntitled(caller, feedCode);
  const count = async (version: FeedVersion): Promise<CountAnswer> => {
    const asked = parseFilters(feed, query.filters, "countRecords");
    const column = query.by === undefined ? null : countedColumn(feed, query.by);
    const selection = selectionOf(feed, asked, { asOf: version.asOf, planRegions, since: query.since });
    requireFresh(context, feed, version.asOf);
    const visible = await visibleRowsOf(context, version, selection);
    const left = await rowsLeft(context, caller);
    return {
      rows: visible.count,
      by: column && (await rowsByValue(context, version, visible, column)),
      cost: { rows: visible.count, rows_left: left, fits: visible.count <= left },
      as_of: version.asOf,
      meta: {
        feed: feed.code,
        version: version.id,
        scope: { regions: selection.regions && [...selection.regions] },
        checkpoint: await checkpointOf(context, caller, version, selection),
        verified_on: verifiedOn(version.asOf),
      },
    };
  };
  return onVersion(context, feed, query.version, count, { caller });
}

function countedColumn(feed: Feed, name: string): PackedColumn {
  const countable = [...packedColumns(feed).values()].filter(({ form }) => form === "word");
  const column = countable.find((each) => each.name === name);
  if (column) return column;
  throw new ProblemError(
    "invalid_filter",
    `by: ${JSON.stringify(name.slice(0, 64))} can't be counted in ${feed.code}. Allowed are ${countable.map((each) => each.name).join(", ")}.`,
  );
}

async function rowsByValue(
  context: Context,
  version: FeedVersion,
  visible: VisibleRows,
  { name, words }: PackedColumn,
): Promise<RowsByState["by"]> {
  const array = await columnArray(context, version, name);
  return valueCounts(visible, array, words ?? []).sort(
    (a, b) => b.rows - a.rows || String(a.value).localeCompare(String(b.value)),
  );
}

/** A feed's rows in all states together and in each, as anybody may see them. */
export type RowsByState = Pick<CountAnswer, "rows" | "as_of"> & { by: NonNullable<CountAnswer["by"]> };

/** The rows that the feed has now by state, without removed ones. ProblemErrors while it is not live, or stale. */
export const rowsByState = (context: Context, feed: Feed): Promise<RowsByState> =>
  onVersion(context, feed, undefined, async (version) => {
    requireFresh(context, feed, version.asOf);
    const all = selectionOf(feed, [], { asOf: version.asOf, planRegions: null, since: undefined });
    const visible = await visibleRowsOf(context, version, all);
    const by = await rowsByValue(context, version, visible, countedColumn(feed, "state"));
    return { rows: visible.count, as_of: version.asOf, by };
  });

/** How many rows each feed of the plan has in the plan's states. A feed that is not live is left out. */
export async function rowsInPlan(context: Context, caller: Caller): Promise<ReadonlyMap<string, number>> {
  const counts = await Promise.all(
    entitledFeeds(caller).map(({ feed, regions: planRegions }) =>
      onVersion(context, feed, undefined, async (version) => {
        const selection = selectionOf(feed, [], { asOf: version.asOf, planRegions, since: undefined });
        return [feed.code, (await visibleRowsOf(context, version, selection)).count] as const;
      }).catch((error: unknown) => {
        if (error instanceof ProblemError) return null;
        throw error;
      }),
    ),
  );
  return new Map(counts.filter((count) => count !== null));
}
