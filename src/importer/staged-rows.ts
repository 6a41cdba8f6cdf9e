import type { Hash } from "node:crypto";
import type { RemovalKey } from "../registry/merge.ts";
import type { CodedValues } from "./checks/coded-values.ts";
import type { OddDates } from "./checks/file-dates.ts";
import { Refusal } from "./checks/refusal.ts";
import type { RowCounts } from "./checks/row-counts.ts";
import type { DatasetInput } from "./dataset-inputs.ts";
import type { Layout } from "./layouts/layout.ts";
import { columnName, readColumns } from "./layouts/layout.ts";
import { CopyLines } from "./read/copy-lines.ts";
import { scanBlocks } from "./read/csv-records.ts";
import { fileBytes } from "./read/file-bytes.ts";
import type { JsonPart } from "./read/json-parts.ts";
import { RecordScanner } from "./read/record-scanner.ts";
import { type LineFindings, utf8Lines } from "./read/utf8-lines.ts";
import { RepeatedRows } from "./repeated-rows.ts";
import type { RowReader } from "./rows/row-reader.ts";
import { reject, repair, type Tally } from "./tally.ts";

/** The progress and the findings of reading a file. */
export interface Reading {
  tally: Tally;
  rowsRead: number;
  /** Rows left out because they equal an earlier row. */
  duplicates: number;
  readBytes: number;
  /** Hashes the file's bytes on disk; not those of JSON, which is hashed elsewhere. */
  sha256: Hash;
  coded: CodedValues;
  dates: Record<string, OddDates>;
  /** The keys whose rows a daily difference removes. */
  removalKeys: RemovalKey[];
}

/**
 * The lines for COPY of an input's rows, in blocks. Refusal if a file is cut off, or has no rows and may not be empty.
 */
export async function* copyLines(
  input: DatasetInput,
  readerFor: (at: (column: string) => number) => RowReader,
  reading: Reading,
  counts: RowCounts,
  mayBeEmpty: boolean,
): AsyncGenerator<Buffer> {
  const { file, label, layout } = input;
  const columns = input.kind === "csv" ? input.columns : readColumns(layout);
  const usedFields: number[] = [];
  const readRow = readerFor((column) => {
    // -1 for an optional column that the file lacks: all its fields are blank.
    const index = columns.indexOf(column);
    if (index >= 0) usedFields.push(index);
    return index;
  });
  let isHeader = input.kind === "csv" && input.hasHeader;
  let width = columns.length;
  const scanner = new RecordScanner(usedFields, (fields, sizeBytes) => {
    if (isHeader) {
      isHeader = false;
      return;
    }
    reading.rowsRead += 1;
    width = fields;
    if (width !== columns.length) {
      reject(reading.tally, "wrong number of columns");
      return;
    }
    lines.begin(sizeBytes);
    if (readRow(lines)) lines.end();
    else lines.drop();
  });
  const expectedRows = () => reading.rowsRead * (file.sizeBytes / Math.max(reading.readBytes, 1));
  const lines = new CopyLines(
    scanner,
    layout.dataset === "census" ? null : new RepeatedRows(expectedRows),
    counts,
  );
  const findings: LineFindings = { windows1252Lines: 0, endsWithNewline: true };
  const blocks = input.kind === "csv" ? csvBlocks(input, reading, findings) : jsonBlocks(layout, input.part);
  if (input.kind === "json") reading.readBytes = file.sizeBytes;
  for await (const _ of scanBlocks(blocks, label, scanner)) yield lines.take();
  reading.duplicates = lines.repeated;
  if (findings.windows1252Lines > 0) repair(reading.tally, "line in Windows-1252", findings.windows1252Lines);
  if (width !== columns.length) {
    throw new Refusal(
      `${label} is cut off: its last row has ${width} of ${columns.length} columns; download it again.`,
    );
  }
  if (!findings.endsWithNewline) {
    throw new Refusal(`${label} is cut off: its last line has no end; download it again.`);
  }
  if (reading.rowsRead === 0 && !mayBeEmpty) throw new Refusal(`${label} has no rows; download it again.`);
}

function csvBlocks(
  { file, label }: DatasetInput,
  reading: Reading,
  findings: LineFindings,
): AsyncIterable<Buffer> {
  const bytes = fileBytes(file, (chunk) => {
    reading.readBytes += chunk.length;
    reading.sha256.update(chunk);
  });
  return utf8Lines(bytes, label, findings);
}

const ROWS_PER_BLOCK = 2000;

/** JSON rows of the portal's API as CSV, in the order of the layout's columns. The API leaves out null fields. */
function* jsonBlocks(layout: Layout, part: JsonPart): Generator<Buffer> {
  const columns = readColumns(layout);
  const indexes = new Map(columns.map((column, index) => [column, index]));
  for (let first = 0; first < part.rows.length; first += ROWS_PER_BLOCK) {
    const records = part.rows.slice(first, first + ROWS_PER_BLOCK).map((row) => {
      const record: string[] = new Array(columns.length).fill("");
      for (const [field, value] of Object.entries(row)) {
        const name = columnName(field);
        const index = indexes.get(layout.aliases?.[name] ?? name);
        if (index !== undefined && value !== null) record[index] = String(value);
      }
      return `${record.map((value) => `"${value.replaceAll('"', '""')}"`).join(",")}\n`;
    });
    yield Buffer.from(records.join(""));
  }
}
