import { hash } from "node:crypto";
import type { RowsByState } from "../../accounts/exports/charge.ts";
import type { Context } from "../../platform/context.ts";
import type { Selection } from "../records/selection.ts";
import type { VisibleRows } from "../records/visible-rows.ts";
import { columnArray } from "../versions/column-arrays.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { wordsOf } from "../versions/packed-columns.ts";
import { LineFilter } from "./row-writer.ts";

/** What an export is charged by. */
export interface ExportPrice {
  /** Identifies the rows that the filters select from the version in every plan. */
  content: string;
  /** The rows of the export. */
  rows: RowsByState;
  /** The first `count` of them, without those at the positions that were left out. */
  firstRows(count: number, leftOut: ReadonlySet<number>): RowsByState;
}

/** The price of the visible rows. `asked` is the selection of the same filters in a plan with all states. */
export async function priceOf(
  context: Context,
  version: FeedVersion,
  asked: Selection,
  visible: VisibleRows,
): Promise<ExportPrice> {
  const { id, publishedAtMs, feed } = version;
  const content = hash("sha256", JSON.stringify([feed.code, id, publishedAtMs, asked.key]), "base64url");
  // Loaded before the export begins: the version may be dropped while it is read.
  const states = await columnArray(context, version, "state");
  const codes = wordsOf(feed, "state");
  const firstRows = (count: number, leftOut: ReadonlySet<number>): RowsByState => {
    const counts = new Map<number, number>();
    const filter = new LineFilter(visible);
    let left = count;
    for (let line = 1; left > 0 && line <= states.length; line++) {
      if (!filter.next() || leftOut.has(line)) continue;
      const state = states[line - 1] as number;
      counts.set(state, (counts.get(state) ?? 0) + 1);
      left -= 1;
    }
    return Object.fromEntries([...counts].map(([state, rows]) => [codes[state] ?? "", rows]));
  };
  return { content, rows: firstRows(visible.count, new Set()), firstRows };
}
