import { createWriteStream } from "node:fs";
import { access, type FileHandle, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { copyTo } from "../../platform/database/copy.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { countOf } from "../../platform/plural.ts";
import type { VisibleRows } from "../records/visible-rows.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import { fromVersion, type PublishedVersion, readRows, versionTable } from "../versions/feed-version.ts";
import type { ByteRange } from "./byte-range.ts";
import { cacheFolder, openOrMake, PROCESS_MARK } from "./cache-folder.ts";
import type { LineFormat } from "./format.ts";
import { LineFilter, type RowSpan } from "./row-writer.ts";

/** A version's rows as a file. */
export interface RowFile {
  /** One row per line, ended by LF, in the feed's order: the finished CSV cells, or the JSON of the record. */
  file: FileHandle;
  path: string;
  /** Reads the bytes of each line, without LF. */
  lengths(): Promise<Uint32Array>;
}

/**
 * Opens the version's rows as a file. The file is made from the database at the first call and stays in DATA_DIR/cache
 * until the version is dropped. It gets its final name when it is complete. The caller closes the file; an open file stays
 * readable after its removal.
 */
export async function openRowFile(
  context: Context,
  version: PublishedVersion,
  format: LineFormat,
): Promise<RowFile> {
  const name = path.join(await cacheFolder(context), fileNameOf(version, format));
  return openOrMake(
    context,
    name,
    () => openThere(context, version, name),
    () => make(context, version, { name, format }),
  );
}

const fileNameOf = ({ id, feed, publishedAtMs }: PublishedVersion, format: LineFormat): string =>
  `${feed.code}_${id}_${publishedAtMs}.${format}`;

const lengthsName = (file: string): string => `${file}.lengths`;

async function openThere(context: Context, version: PublishedVersion, name: string): Promise<RowFile> {
  await access(lengthsName(name));
  const lengths = () => lengthsOf(context.db).get(name, () => readLengths(version, name));
  return { file: await open(name, "r"), path: name, lengths };
}

const LENGTHS_CACHE_BYTES = 16 * 1024 * 1024;
const lengthsOf = perDatabase(() =>
  createByteCache<Uint32Array>(LENGTHS_CACHE_BYTES, ({ byteLength }) => byteLength),
);

async function readLengths(version: PublishedVersion, name: string): Promise<Uint32Array> {
  const bytes = await readFile(lengthsName(name));
  const lengths = new Uint32Array(new Uint8Array(bytes).buffer);
  if (lengths.length === version.rowCount) return lengths;
  throw new Error(
    `${lengthsName(name)} has ${lengths.length} lengths of ${countOf(version.rowCount, "row")}.`,
  );
}

interface Target {
  name: string;
  format: LineFormat;
}

async function make(context: Context, version: PublishedVersion, { name, format }: Target): Promise<void> {
  const unfinished = `${name}.${PROCESS_MARK}`;
  const unfinishedLengths = `${lengthsName(name)}.${PROCESS_MARK}`;
  try {
    const lengths = await fromVersion(version, () =>
      readRows(context, [version], async ({ bulkPool }, isStandby) => {
        // The file of a standby that failed is incomplete.
        await rm(unfinished, { force: true });
        const silenceMs = isStandby ? STANDBY_SILENCE_MS : null;
        return copyRows(bulkPool, version, { name: unfinished, format }, silenceMs);
      }),
    );
    await writeFile(unfinishedLengths, lengths, { mode: 0o600, flush: true });
    await rename(unfinishedLengths, lengthsName(name));
    // Last: the file is complete when it has its name.
    await rename(unfinished, name);
  } catch (error) {
    await rm(unfinishedLengths, { force: true });
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A standby that sends nothing for so long has failed. */
const STANDBY_SILENCE_MS = 5_000;

/** The column that has a row's line. */
const COLUMNS = { csv: "csv", ndjson: "json" } as const satisfies Record<LineFormat, string>;

/** Fails when the server is silent for longer than `silenceMs`. Returns the bytes of each line. */
async function copyRows(
  pool: pg.Pool,
  version: PublishedVersion,
  { name, format }: Target,
  silenceMs: number | null,
): Promise<Uint32Array> {
  const client = await pool.connect();
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("Query read timeout: no row came")), silenceMs ?? 0);
  if (silenceMs === null) clearTimeout(timer);
  let failure: Error | undefined;
  try {
    // No row contains these two control characters, so COPY leaves the finished cells and JSON as they are.
    const rows = copyTo(
      client,
      `COPY (SELECT ${COLUMNS[format]} FROM ${versionTable(version.id)} ORDER BY pos)
       TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`,
    );
    const lines = lineMeter(version.rowCount, () => silenceMs !== null && timer.refresh());
    const output = createWriteStream(name, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(rows, lines.stream, output, { signal: silence.signal });
    if (lines.count() !== version.rowCount) {
      throw new Error(
        `Version ${version.id} has ${countOf(version.rowCount, "row")}, its export ${countOf(lines.count(), "line")}.`,
      );
    }
    return lines.lengths;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    clearTimeout(timer);
    // After a failure the connection may still be copying: the pool drops it.
    client.release(failure);
  }
}

/** Measures the lines that pass, of which there should be so many. */
function lineMeter(
  expected: number,
  onChunk: () => void,
): { stream: Transform; lengths: Uint32Array; count(): number } {
  const lengths = new Uint32Array(expected);
  let [lines, carried] = [0, 0];
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onChunk();
      let start = 0;
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, start)) {
        lengths[lines] = carried + at - start;
        lines += 1;
        [start, carried] = [at + 1, 0];
      }
      carried += chunk.length - start;
      done(null, chunk);
    },
  });
  return { stream, lengths, count: () => lines };
}

/** The rows that have the bytes of a range, and where they begin in the version's file. */
export interface RowRange extends RowSpan {
  fileOffset: number;
  /** Bytes of its first row that are before the range. */
  skippedBytes: number;
}

/** The bytes of rows, by the index of their line in the version's file. */
export interface RowSizes {
  /** Of the lines, without LF. */
  lines: Uint32Array;
  /** Of the rows, each of which has `added` bytes more. */
  rows: Uint32Array;
  added: number;
}

/** The bytes that all visible rows have in an export. */
export function bytesOfRows({ rows: lengths, added }: RowSizes, visible: VisibleRows): number {
  const { listed, removed, count } = visible;
  const lengthOf = (index: number): number =>
    lengths[listed === null ? index : (listed[index] as number) - 1] ?? 0;
  let bytes = count * added;
  for (let index = 0; index < (listed ?? lengths).length; index++) bytes += lengthOf(index);
  for (const index of removed) bytes -= lengthOf(index - 1);
  return bytes;
}

/** Finds the rows that have the bytes `first` to `last`, counted from the begin of the first row. */
export function rowsInRange(
  { lines, rows, added }: RowSizes,
  visible: VisibleRows,
  { first, last }: ByteRange,
): RowRange {
  const filter = new LineFilter(visible);
  let bytes = 0;
  let fileOffset = 0;
  let found: Omit<RowRange, "until"> | null = null;
  for (let line = 0; line < lines.length; line++) {
    if (filter.next()) {
      const end = bytes + (rows[line] as number) + added;
      if (found === null && end > first) {
        found = { after: filter.beforeVisible(), fileOffset, skippedBytes: first - bytes };
      }
      if (found !== null && end > last) return { ...found, until: filter.visibleSeen };
      bytes = end;
    }
    fileOffset += (lines[line] as number) + 1;
  }
  throw new Error(`The rows of an export have ${bytes} bytes, and ${last + 1} were asked for.`);
}
