import { columnName } from "./columns.ts";
import { csvRecords } from "./csv-records.ts";
import { fileBytes } from "./file-bytes.ts";
import type { FolderFile } from "./folder.ts";
import type { JsonPart } from "./json-parts.ts";
import type { Layout } from "./layout.ts";
import { Refusal } from "./refusal.ts";
import type { RowReader } from "./rows/row-reader.ts";
import { reject, repair, type Tally } from "./tally.ts";
import { type LineFindings, utf8Lines } from "./utf8-lines.ts";

/** What reading a file has come to so far. */
export interface Reading {
  tally: Tally;
  rowsRead: number;
  readBytes: number;
}

export interface CsvSource {
  file: FolderFile;
  label: string;
  columns: readonly string[];
  hasHeader: boolean;
}

/**
 * The lines for COPY of a CSV or text file's rows. Refusal when the file turns out to be cut off, or has no rows and
 * may not be empty.
 */
export async function* csvLines(
  source: CsvSource,
  readRow: RowReader,
  reading: Reading,
  mayBeEmpty: boolean,
): AsyncGenerator<string> {
  const { file, label, columns } = source;
  const findings: LineFindings = { windows1252Lines: 0, endsWithNewline: true };
  let isHeader = source.hasHeader;
  let width = columns.length;
  const bytes = fileBytes(file, (count) => {
    reading.readBytes += count;
  });
  yield* csvRecords(utf8Lines(bytes, label, findings), label, (record) => {
    if (isHeader) {
      isHeader = false;
      return null;
    }
    reading.rowsRead += 1;
    width = record.length;
    return width === columns.length ? readRow(record) : reject(reading.tally, "wrong number of columns");
  });
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

const ROWS_PER_BLOCK = 2000;

/** The lines for COPY of rows as the portal's API gives them; fields that are null are not in them. */
export function* jsonLines(
  layout: Layout,
  part: JsonPart,
  readRow: RowReader,
  reading: Reading,
): Generator<string> {
  const places = new Map(layout.columns.map((column, place) => [column, place]));
  const placeOf = (field: string): number | undefined => {
    const name = columnName(field);
    return places.get(layout.aliases?.[name] ?? name);
  };
  let lines = "";
  for (const row of part.rows) {
    const record: string[] = new Array(layout.columns.length).fill("");
    for (const [field, value] of Object.entries(row)) {
      const place = placeOf(field);
      if (place !== undefined && value !== null) record[place] = String(value);
    }
    reading.rowsRead += 1;
    lines += readRow(record) ?? "";
    if (reading.rowsRead % ROWS_PER_BLOCK !== 0) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}
