import { createHash, type Hash } from "node:crypto";
import { isDifferenceOf } from "../../registry/datasets.ts";
import type { RemovalKey } from "../../registry/merge/merge.ts";
import { CopyLines } from "../read/copy-lines.ts";
import { columnName, scanBlocks } from "../read/csv-records.ts";
import { fileBytes, sha256Of } from "../read/file-bytes.ts";
import type { JsonPart } from "../read/json-parts.ts";
import { compactDay } from "../read/plain-day.ts";
import { RecordScanner } from "../read/record-scanner.ts";
import { Refusal } from "../read/refusal.ts";
import { RepeatedRows } from "../read/repeated-rows.ts";
import { RowCounts } from "../read/row-counts.ts";
import { type LineFindings, utf8Lines } from "../read/utf8-lines.ts";
import { type DatasetInput, unexpectedColumns } from "../recognise/dataset-inputs.ts";
import { CodedValues } from "../rows/coded-values.ts";
import {
  type FileReading,
  type OfficialFile,
  openRows,
  tableColumns,
  usedColumns,
} from "../rows/official-file.ts";
import { keyReader } from "../rows/row-rules.ts";
import { MOST_FIELD_BYTES, REASONS, reject, repair } from "../rows/tally.ts";
import { type OddRows, type Profile, profileOf, type StagedFile } from "./staged-set.ts";
import { fingerprintOf } from "./unchanged.ts";

/** The lines for COPY of some of an input's rows, and how far the input is read. */
export interface ReadBlock {
  lines: Uint8Array<ArrayBuffer>;
  readBytes: number;
  rowsRead: number;
  /** In the last block. */
  findings?: ReadFindings;
}

/** What was found in an input that was read to its end. */
export interface ReadFindings {
  staged: StagedFile;
  profile: Profile;
  removalKeys: RemovalKey[];
  oddRows: OddRows;
}

/** Reads the rows of an input for a day, as lines for COPY. Refusal for a broken file. */
export async function* readInput(
  input: DatasetInput,
  today: string,
  isDifference: boolean,
): AsyncGenerator<ReadBlock> {
  const reading = beginReading(input.official, columnsOf(input), today, isDifference);
  for await (const lines of copyLines(input, reading)) {
    yield { lines, readBytes: reading.readBytes, rowsRead: reading.rowsRead };
  }
  const { readBytes, rowsRead } = reading;
  yield { lines: new Uint8Array(), readBytes, rowsRead, findings: await findingsOf(input, reading) };
}

/** The progress and the findings of reading a file. */
interface Reading extends FileReading {
  rowsRead: number;
  /** Rows left out because they equal an earlier row. */
  duplicates: number;
  readBytes: number;
  /** Hashes the file's bytes on disk; not those of JSON, which is hashed elsewhere. */
  sha256: Hash;
  counts: RowCounts;
}

/** Begins to read the rows of an official file, which have these columns, for a day. */
export function beginReading(
  official: OfficialFile,
  columns: readonly string[],
  today: string,
  isDifference: boolean,
): Reading {
  return {
    dataset: official.dataset,
    today,
    isDifference,
    at: (column) => columns.indexOf(column),
    row: { docket: null, usdot: null },
    oddRows: [],
    tally: { rejected: {}, repaired: {} },
    coded: new CodedValues(official.dataset),
    dates: {},
    removalKeys: [],
    rowsRead: 0,
    duplicates: 0,
    readBytes: 0,
    sha256: createHash("sha256"),
    counts: new RowCounts(tableColumns(official), compactDay(today)),
  };
}

/** The columns of an input's records. */
const columnsOf = (input: DatasetInput): readonly string[] =>
  input.kind === "csv" ? input.columns : usedColumns(input.official);

/** Each block costs a message between threads and a write to the database. */
const CHUNKS_PER_BLOCK = 4;

/**
 * The lines for COPY of an input's rows, in blocks. Refusal if a file is cut off, or has no rows although it is no
 * difference of a day without changes.
 */
async function* copyLines(input: DatasetInput, reading: Reading): AsyncGenerator<Buffer<ArrayBuffer>> {
  const { file, label, official } = input;
  const columns = columnsOf(input);
  const usedFields = usedColumns(official)
    .map(reading.at)
    .filter((index) => index >= 0);
  const readRow = openRows(official, reading);
  let isHeader = input.kind === "csv" && input.hasHeader;
  let width = columns.length;
  const scanner = new RecordScanner(usedFields, (fields, sizeBytes) => {
    if (isHeader) {
      isHeader = false;
      return;
    }
    reading.rowsRead += 1;
    width = fields;
    const furtherLines = scanner.furtherLines();
    if (furtherLines.some((line) => line.split(",").length >= columns.length)) {
      throw new Refusal(
        `${label} is damaged: a quote that is opened in row ${reading.rowsRead} and not closed hides the rows after it; download it again.`,
      );
    }
    if (furtherLines.length > 0) repair(reading.tally, "line break in a field");
    const fault = width === columns.length ? faultOf(scanner, sizeBytes) : REASONS.columns;
    if (fault !== null) {
      reading.oddRows.push(keyOf(lines, width));
      reject(reading.tally, fault);
      return;
    }
    lines.begin(sizeBytes);
    if (readRow(lines)) lines.end();
    else lines.drop();
  });
  const keyOf = keyReader(reading);
  const expectedRows = () => reading.rowsRead * (file.sizeBytes / Math.max(reading.readBytes, 1));
  const repeated = official.isKeyed ? null : new RepeatedRows(expectedRows);
  const lines = new CopyLines(scanner, repeated, reading.counts);
  const findings: LineFindings = { windows1252Lines: 0, endsWithNewline: true };
  const blocks =
    input.kind === "csv" ? csvBlocks(input, reading, findings) : jsonBlocks(official, input.part);
  if (input.kind === "json") reading.readBytes = file.sizeBytes;
  let chunks = 0;
  for await (const _ of scanBlocks(blocks, label, scanner)) {
    chunks += 1;
    if (chunks % CHUNKS_PER_BLOCK === 0) yield lines.take();
  }
  yield lines.take();
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
  // JSON without rows was checked when it was recognised.
  const mayBeEmpty = input.kind === "json" || isDifferenceOf(reading, official.dataset);
  if (reading.rowsRead === 0 && !mayBeEmpty) throw new Refusal(`${label} has no rows; download it again.`);
}

/** Why a record is left out whatever its columns are. Few are as long as that, so hardly any field is measured. */
const faultOf = (scanner: RecordScanner, sizeBytes: number): string | null =>
  sizeBytes > MOST_FIELD_BYTES && scanner.hasFieldAbove(MOST_FIELD_BYTES) ? REASONS.tooLong : null;

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

/** JSON rows of the portal's API as CSV, in the order of the used columns. The API leaves out null fields. */
function* jsonBlocks(official: OfficialFile, part: JsonPart): Generator<Buffer> {
  const columns = usedColumns(official);
  const indexes = new Map(columns.map((column, index) => [column, index]));
  for (let first = 0; first < part.rows.length; first += ROWS_PER_BLOCK) {
    const records = part.rows.slice(first, first + ROWS_PER_BLOCK).map((row) => {
      const record: string[] = new Array(columns.length).fill("");
      for (const [field, value] of Object.entries(row)) {
        const name = columnName(field);
        const index = indexes.get(official.aliases?.[name] ?? name);
        if (index !== undefined && value !== null) record[index] = String(value);
      }
      return `${record.map((value) => `"${value.replaceAll('"', '""')}"`).join(",")}\n`;
    });
    yield Buffer.from(records.join(""));
  }
}

/** The findings of an input that was read to its end, for the report and for the checks of the next import. */
async function findingsOf(
  input: DatasetInput,
  { rowsRead, duplicates, tally, coded, dates, today, counts, sha256: hash, ...reading }: Reading,
): Promise<ReadFindings> {
  const { label, file, official } = input;
  const { dataset } = official;
  const sha256 = input.kind === "csv" ? hash.digest("hex") : await sha256Of(file.path);
  const findings = { sha256, unknownValues: coded.unknown, otherUnits: coded.otherUnits, dates };
  const profile: Profile = {
    ...profileOf(official, counts),
    ...findings,
    meanings: coded.meanings,
    rowsRead,
    // Rows without a docket may show that the file changed, like rows left out.
    rejected: { ...tally.rejected, [REASONS.noDocket]: tally.repaired[REASONS.noDocket] ?? 0 },
  };
  const staged: StagedFile = {
    file: label,
    dataset,
    rowsRead,
    kept: profile.rows,
    duplicates,
    ...tally,
    newestRowOn: profile.newestRowOn,
    sizeBytes: file.sizeBytes,
    ...findings,
    unexpected: unexpectedColumns(input),
    ...(file.noted ? { noted: file.noted } : {}),
  };
  const fingerprint = fingerprintOf(dataset, today, sha256);
  if (fingerprint && input.kind === "csv") profile.file = { fingerprint, staged };
  const oddRows = {
    usdots: reading.oddRows.flatMap(({ usdot }) => usdot ?? []),
    dockets: reading.oddRows.flatMap(({ usdot, docket }) => (usdot === null && docket ? [docket] : [])),
  };
  return { staged, profile, removalKeys: reading.removalKeys, oddRows };
}
