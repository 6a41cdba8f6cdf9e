import type { FileHandle } from "node:fs/promises";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Fields } from "../records/fields.ts";
import type { FilteredOperation } from "../records/filters.ts";
import type { LineFormat } from "../row-files/row-file.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { type RowShape, RowWriter } from "./row-writer.ts";

/** Whole rows of JSON, each ended by LF, with these columns alone. */
function cutRows(rows: Buffer, { cut }: Fields): Buffer {
  // One character for each byte, so that a cut row has the bytes of the whole one.
  const lines = rows.toString("latin1").split("\n").slice(0, -1);
  return Buffer.from(lines.map((line) => `${cut(line)}\n`).join(""), "latin1");
}

const CACHE_BYTES = 8 * 1024 * 1024;

/** The bytes of cut rows, by file and columns. */
export const cutLengthsOf = perDatabase(() =>
  createByteCache<Uint32Array>(CACHE_BYTES, ({ byteLength }) => byteLength),
);

/** Measures the cut row of each line of a version's file, LF included. It reads the whole file. */
export async function measureCutRows(
  file: FileHandle,
  shape: RowShape,
  rowCount: number,
): Promise<Uint32Array> {
  const lengths = new Uint32Array(rowCount);
  const writer = new RowWriter(shape, { listed: null, removed: new Int32Array(0) });
  let [position, row] = [0, 0];
  for (;;) {
    const { bytesRead } = await file.read(writer.chunkBuffer, { position });
    if (bytesRead === 0) break;
    position += bytesRead;
    const { bytes } = writer.write(bytesRead);
    writer.reuse();
    for (let from = 0; from < bytes.length; row++) {
      const next = bytes.indexOf(0x0a, from) + 1;
      lengths[row] = next - from;
      from = next;
    }
  }
  if (row !== rowCount) throw new Error(`A file of ${rowCount} rows has ${row}.`);
  return lengths;
}

/** Lines become the export while they are read; a Parquet file is made before. */
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

// A cell without characters that mean something to RFC 4180 or a spreadsheet. Column names and licence references match.
const PLAIN_CELL = /^[A-Za-z0-9_-]+$/;

/** The header line of an export: the version's columns, then `licence_ref`. */
export const csvHeader = (columns: readonly string[]): string =>
  `${[...columns, "licence_ref"].join(",")}\r\n`;

/** The end of each row of an export: an empty cell for each column that the rows lack, then the licence reference. */
export function csvRowEnd(licenceRef: string, missingColumns = 0): Buffer {
  if (!PLAIN_CELL.test(licenceRef) || licenceRef.startsWith("-")) {
    throw new Error(`Not a licence reference: ${JSON.stringify(licenceRef)}`);
  }
  return Buffer.from(`${",".repeat(missingColumns)},${licenceRef}\r\n`);
}
