import type { Context } from "../../platform/context.ts";
import type { Caller } from "../keys/caller.ts";

/** Counts served rows of a feed (or events) for the metrics. HEAD requests receive none. */
export function countServedRows(
  { metrics }: Context,
  caller: Caller,
  labels: { feed: string; form: "json" | "csv" },
  rows: number,
): void {
  if (!caller.isHead) metrics.rowsServed.inc(labels, rows);
}
