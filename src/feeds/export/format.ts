import type { Fields } from "../records/fields.ts";
import type { FilteredOperation } from "../records/filters.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { csvHeader, csvRowEnd } from "./csv.ts";
import { cutRows } from "./cut-rows.ts";
import type { RowShape } from "./row-writer.ts";

/** The formats whose rows are lines: a version's file of lines becomes the export while it streams. */
export type LineFormat = "csv" | "ndjson";

export type ExportFormat = LineFormat | "parquet";

/** The operation of each format. */
export const OPERATIONS = {
  csv: "exportFeed",
  ndjson: "exportFeedAsNdjson",
  parquet: "exportFeedAsParquet",
} as const satisfies Record<ExportFormat, FilteredOperation>;

/** What an export has before its rows. */
export const headerOf = (format: LineFormat, { columns }: FeedVersion): Buffer =>
  Buffer.from(format === "csv" ? csvHeader(columns.names) : "");

/** How a line of a version's file becomes a row of the export. */
export function rowShapeOf(
  format: LineFormat,
  { columns }: FeedVersion,
  licenceRef: string,
  fields: Fields | null,
): RowShape {
  if (format === "csv") return { droppedBytes: 0, end: csvRowEnd(licenceRef, columns.missing.length) };
  // The members that the record lacks are added in front of its closing brace.
  const missing = columns.missing.map((name) => `,${JSON.stringify(name)}:null`).join("");
  const whole = { droppedBytes: 1, end: Buffer.from(`${missing}}\n`) };
  return fields === null ? whole : { ...whole, cut: (rows) => cutRows(rows, fields) };
}
