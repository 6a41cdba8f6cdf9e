import type { Context } from "../../platform/context.ts";
import type { Caller } from "../keys/caller.ts";

/** Counts rows of a feed (or events) that are answered, for the metrics; HEAD receives none. */
export function countServedRows(
  { metrics }: Context,
  caller: Caller,
  labels: { feed: string; form: "json" | "csv" },
  rows: number,
): void {
  if (!caller.isHead) metrics.rowsServed.inc(labels, rows);
}
