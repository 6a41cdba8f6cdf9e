// Writes one Parquet file in a thread of its own: src/feeds/export/parquet-file.ts starts it.
import { closeSync, fsyncSync, openSync, readSync } from "node:fs";
import os from "node:os";
import { workerData } from "node:worker_threads";
import zlib from "node:zlib";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { type ParquetColumn, parquetSchema } from "./parquet-form.ts";

/** What a worker needs to write a Parquet file. */
export interface ParquetJob {
  /** A version's records, one JSON object per line. */
  source: string;
  /** The lines (from 1, ascending) of the rows; null: all. */
  lines: Int32Array | null;
  rows: number;
  columns: readonly ParquetColumn[];
  /** Key-value pairs of the file's footer. */
  facts: Readonly<Record<string, string>>;
  target: string;
}

const LF = 0x0a;
const CHUNK_BYTES = 1024 * 1024;
/** Bounds the memory: the values of one group are held at a time. */
const ROWS_IN_GROUP = 50_000;

type Row = { readonly [column: string]: unknown };

function writeParquet({ source, lines, rows, columns, facts, target }: ParquetJob): void {
  // The writer makes a file that everybody may read.
  closeSync(openSync(target, "w", 0o600));
  const output = fileWriter(target);
  const parquet = new ParquetWriter({
    writer: output,
    schema: parquetSchema(columns),
    codec: "ZSTD",
    compressors: { ZSTD: zstd },
    kvMetadata: Object.entries(facts).map(([key, value]) => ({ key, value })),
    createdBy: "trucking-data-feed",
  });
  let group: Row[] = [];
  let written = 0;
  const flush = (): void => {
    if (group.length === 0) return;
    const records = group;
    const columnData = columns.map((column) => ({ name: column.name, data: valuesOf(column, records) }));
    parquet.write({ columnData, rowGroupSize: records.length });
    written += records.length;
    group = [];
  };
  for (const record of recordsOf(source, lines)) {
    group.push(record);
    if (group.length === ROWS_IN_GROUP) flush();
  }
  flush();
  parquet.finish();
  if (written !== rows) throw new Error(`A Parquet file of ${rows} rows got ${written}.`);
  const file = openSync(target, "r+");
  fsyncSync(file);
  closeSync(file);
}

const zstd = (bytes: Uint8Array): Uint8Array =>
  zlib.zstdCompressSync(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } });

/** The records of the wanted lines. */
function* recordsOf(source: string, lines: Int32Array | null): Generator<Row> {
  let next = 0;
  let line = 0;
  for (const text of linesOf(source)) {
    line += 1;
    if (lines !== null && lines[next] !== line) continue;
    next += 1;
    yield JSON.parse(text.toString()) as Row;
    if (lines !== null && next === lines.length) return;
  }
}

/** The lines of a file, each valid until the next is asked for. */
function* linesOf(source: string): Generator<Buffer> {
  const file = openSync(source, "r");
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const size = readSync(file, chunk);
      if (size === 0) return;
      const bytes = Buffer.concat([rest, chunk.subarray(0, size)]);
      let start = 0;
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
        yield bytes.subarray(start, end);
        start = end + 1;
      }
      rest = bytes.subarray(start);
    }
  } finally {
    closeSync(file);
  }
}

const DAY_MS = 86_400_000;

/** The values of a column as the writer takes them: BigInt for INT64, days since 1970 for DATE. */
function valuesOf({ name, kind }: ParquetColumn, records: readonly Row[]): unknown[] {
  return records.map((record) => {
    const value = record[name] ?? null;
    if (value === null) return null;
    if (kind === "integer") return BigInt(value as number);
    if (kind === "date") return Date.parse(String(value)) / DAY_MS;
    return value;
  });
}

// On Linux this is the priority of the thread alone: requests go first.
if (os.platform() === "linux") os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
writeParquet(workerData as ParquetJob);
