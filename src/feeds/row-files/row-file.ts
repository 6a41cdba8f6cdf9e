import { createWriteStream } from "node:fs";
import { type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { copyTo } from "../../platform/database/copy.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { countOf } from "../../platform/plural.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import { fromVersion, type PublishedVersion, readRows, versionTable } from "../versions/feed-version.ts";
import { cacheFolder, openOrMake, PROCESS_MARK } from "./cache-folder.ts";

/** Rows as lines: of CSV cells, or of JSON. */
export type LineFormat = "csv" | "ndjson";

/** A version's rows as a file. */
export interface RowFile {
  /** One row per line, ended by LF, in the feed's order: the finished CSV cells, or the JSON of the record. */
  file: FileHandle;
  path: string;
  /** The bytes of each line, without LF. */
  lengths: Uint32Array;
}

/** The files that somebody waits for. */
const awaited = new Set<string>();

/**
 * Opens the version's rows as a file. The file is made from the database at the first call and stays in DATA_DIR/cache
 * until the version is dropped. It gets its final name when it is complete. The caller closes the file; an open file stays
 * readable after its removal. `isAwaited`: false if nobody waits for it; then it is made gently, in two to three times the time.
 */
export async function openRowFile(
  context: Context,
  version: PublishedVersion,
  format: LineFormat,
  isAwaited = true,
): Promise<RowFile> {
  const name = path.join(await cacheFolder(context), fileNameOf(version, format));
  if (isAwaited) awaited.add(name);
  return openOrMake(
    context,
    name,
    () => openThere(context, version, name),
    () => make(context, version, { name, format }),
  ).finally(() => isAwaited && awaited.delete(name));
}

const fileNameOf = ({ id, feed, publishedAtMs }: PublishedVersion, format: LineFormat): string =>
  `${feed.code}_${id}_${publishedAtMs}.${format}`;

const lengthsName = (file: string): string => `${file}.lengths`;

const LENGTHS_CACHE_BYTES = 16 * 1024 * 1024;
const measuresOf = perDatabase(() =>
  createByteCache<Measures>(LENGTHS_CACHE_BYTES, ({ lengths }) => lengths.byteLength),
);

/** The bytes of each line of a file, and of the whole file. */
interface Measures {
  lengths: Uint32Array;
  sizeBytes: number;
}

/** Null when the file or its lengths are not whole, after a failure of the disk; both are removed. */
async function openThere(context: Context, version: PublishedVersion, name: string): Promise<RowFile | null> {
  const measures = measuresOf(context.db);
  const { lengths, sizeBytes } = await measures.get(name, () => readMeasures(name));
  const file = await open(name, "r");
  const { size } = await file.stat();
  if (lengths.length === version.rowCount && size === sizeBytes) return { file, path: name, lengths };
  await file.close();
  measures.delete(name);
  await rm(name, { force: true });
  await rm(lengthsName(name), { force: true });
  return null;
}

async function readMeasures(name: string): Promise<Measures> {
  const file = await open(lengthsName(name), "r");
  try {
    const { size } = await file.stat();
    const lengths = new Uint32Array(Math.floor(size / Uint32Array.BYTES_PER_ELEMENT));
    await file.read(lengths);
    return { lengths, sizeBytes: lengths.reduce((sum, length) => sum + length + 1, 0) };
  } finally {
    await file.close();
  }
}

interface Target {
  name: string;
  format: LineFormat;
}

async function make(context: Context, version: PublishedVersion, target: Target): Promise<void> {
  const { name } = target;
  const unfinished = `${name}.${PROCESS_MARK}`;
  const unfinishedLengths = `${lengthsName(name)}.${PROCESS_MARK}`;
  try {
    const lengths = await fromVersion(version, () =>
      readRows(context, [version], async ({ bulkPool }, isStandby) => {
        // The file of a standby that failed is incomplete.
        await rm(unfinished, { force: true });
        const silenceMs = isStandby ? STANDBY_SILENCE_MS : null;
        return copyRows(bulkPool, version, { ...target, unfinished }, silenceMs);
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
  { unfinished, ...target }: Target & { unfinished: string },
  silenceMs: number | null,
): Promise<Uint32Array> {
  const client = await pool.connect();
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("Query read timeout: no row came")), silenceMs ?? 0);
  if (silenceMs === null) clearTimeout(timer);
  let failure: Error | undefined;
  try {
    const rows = linesOf(client, version, target);
    const lines = lineMeter(version.rowCount, () => silenceMs !== null && timer.refresh());
    const output = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
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

/** Rows that take the database about a millisecond. */
const ROWS_AT_ONCE = 128;

/**
 * The lines of a version. While nobody waits for the file: some at a time, with a pause after them as long as they took. A
 * copy without pauses keeps a processor busy for seconds, and on a small machine pages that are asked for meanwhile wait.
 */
async function* linesOf(
  client: pg.ClientBase,
  { id, rowCount }: PublishedVersion,
  { name, format }: Target,
): AsyncGenerator<Buffer> {
  for (let before = 0, last = 0; before < rowCount; before = last) {
    const startedAtMs = performance.now();
    last = awaited.has(name) ? rowCount : before + ROWS_AT_ONCE;
    // No row contains these two control characters, so COPY leaves the finished cells and JSON as they are.
    yield* copyTo(
      client,
      `COPY (SELECT ${COLUMNS[format]} FROM ${versionTable(id)} WHERE pos > ${before} AND pos <= ${last} ORDER BY pos)
       TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`,
    );
    if (last < rowCount) await wait(performance.now() - startedAtMs);
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
