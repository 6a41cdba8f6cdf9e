import { hash } from "node:crypto";
import { type FileHandle, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import type { VisibleRows } from "../records/visible-rows.ts";
import { cacheFolder, nullIfMissing, openOrMake, PROCESS_MARK } from "../row-files/cache-folder.ts";
import { openRowFile } from "../row-files/row-file.ts";
import type { FeedVersion } from "../versions/feed-version.ts";
import { PARQUET_FORM, parquetColumns } from "./parquet-form.ts";
import type { ParquetJob } from "./parquet-worker.ts";
import { LineFilter } from "./row-writer.ts";

/** A finished file, open to be read. */
export interface ParquetFile {
  file: FileHandle;
  sizeBytes: number;
}

/**
 * Opens the selected rows of a version as a Parquet file. It is made at the first call, in a thread of its own, and kept in
 * DATA_DIR/cache while there is room. A removal of one of its rows makes another file. The caller closes the file; an open
 * file stays readable after its removal. ProblemError unavailable while too many files wait to be made.
 */
export async function openParquetFile(
  context: Context,
  version: FeedVersion,
  visible: VisibleRows,
  selectionKey: string,
): Promise<ParquetFile> {
  const name = await nameOf(context, version, selectionKey);
  return openOrMake(
    context,
    name,
    () => openThere(name),
    () => inTurn(() => make(context, version, visible, name)),
  );
}

/** The size of the file, if it is made already. */
export async function findParquetBytes(
  context: Context,
  version: FeedVersion,
  selectionKey: string,
): Promise<number | null> {
  const opened = await openThere(await nameOf(context, version, selectionKey)).catch(nullIfMissing);
  await opened?.file.close();
  return opened?.sizeBytes ?? null;
}

async function nameOf(context: Context, version: FeedVersion, selectionKey: string): Promise<string> {
  const { id, feed, publishedAtMs, removals } = version;
  const content = digest([PARQUET_FORM, selectionKey, parquetColumns(version)]);
  const file = `${feed.code}_${id}_${publishedAtMs}.${content}-${digest(removals.key)}.parquet`;
  return path.join(await cacheFolder(context), file);
}

const digest = (value: unknown): string => hash("sha256", JSON.stringify(value), "hex").slice(0, 24);

/** Null for a file that was cut by a failure of its disk; it is removed. */
async function openThere(name: string): Promise<ParquetFile | null> {
  const file = await open(name, "r");
  const { size } = await file.stat();
  if (!(await hasEnd(file, size))) {
    await file.close();
    await rm(name, { force: true });
    return null;
  }
  // Its time of change is that of its last use: the file unused for longest goes first.
  const now = new Date();
  await utimes(name, now, now).catch(() => {});
  return { file, sizeBytes: size };
}

const MAGIC = "PAR1";
/** The magic at the beginning, and at the end the length of the footer and the magic again. */
const FRAME_BYTES = 12;

/** Whether a Parquet file of this size ends with a footer that fits into it. */
async function hasEnd(file: FileHandle, size: number): Promise<boolean> {
  if (size < FRAME_BYTES) return false;
  const { buffer: end } = await file.read(Buffer.alloc(8), 0, 8, size - 8);
  return end.toString("latin1", 4) === MAGIC && end.readUInt32LE(0) <= size - FRAME_BYTES;
}

const MOST_WAITING = 8;
const RETRY_AFTER_SECONDS = 30;
let waiting = 0;
let lastTurn: Promise<unknown> = Promise.resolve();

/** Makes one file at a time, so that making them takes at most one processor. */
function inTurn(makeFile: () => Promise<void>): Promise<void> {
  if (waiting >= MOST_WAITING) {
    const detail =
      "Many Parquet files are being made now. Try again shortly, or take the export as NDJSON or CSV.";
    throw new ProblemError("unavailable", detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  waiting += 1;
  const turn = lastTurn.then(makeFile).finally(() => {
    waiting -= 1;
  });
  lastTurn = turn.catch(() => {});
  return turn;
}

async function make(
  context: Context,
  version: FeedVersion,
  visible: VisibleRows,
  name: string,
): Promise<void> {
  const rowFile = await openRowFile(context, version, "ndjson");
  const unfinished = `${name}.${PROCESS_MARK}`;
  try {
    await write({
      source: rowFile.path,
      lines: linesOf(version, visible),
      rows: visible.count,
      columns: parquetColumns(version),
      facts: { feed: version.feed.code, version: String(version.id), as_of: version.asOf },
      target: unfinished,
    });
    await removeOlderStates(name);
    await makeRoom(path.dirname(name), (await stat(unfinished)).size);
    await rename(unfinished, name);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await rowFile.file.close();
  }
}

/** The lines of the visible rows in a version's file; null: all. */
function linesOf({ rowCount }: FeedVersion, visible: VisibleRows): Int32Array | null {
  if (visible.listed === null && visible.removed.length === 0) return null;
  const lines = new Int32Array(visible.count);
  const filter = new LineFilter(visible);
  for (let line = 1; line <= rowCount; line++) if (filter.next()) lines[filter.visibleSeen - 1] = line;
  return lines;
}

/** Of the thread that writes a file. Its row groups need about a third of that. */
const MOST_MEMORY_MB = 512;

function write(job: ParquetJob): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./parquet-worker.ts", import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    worker.once("error", reject);
    worker.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The thread that writes a Parquet file ended with ${code}.`));
    });
  });
}

/** Removes the files of the same rows from before a removal or its undoing. */
async function removeOlderStates(name: string): Promise<void> {
  const folder = path.dirname(name);
  const content = path.basename(name).replace(/-[0-9a-f]+\.parquet$/, "-");
  const others = (await readdir(folder)).filter(
    (other) => other.startsWith(content) && other.endsWith(".parquet"),
  );
  for (const other of others) await rm(path.join(folder, other), { force: true });
}

/** Of all Parquet files in the folder. */
const MOST_BYTES = 4 * 1024 ** 3;

/** Removes the files that were unused for longest, until there is room for so many bytes. */
export async function makeRoom(folder: string, bytes: number, mostBytes = MOST_BYTES): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".parquet"));
  const found = await Promise.all(
    names.map(async (name) => {
      const facts = await stat(path.join(folder, name)).catch(nullIfMissing);
      return facts === null ? [] : [{ name, size: facts.size, usedAtMs: facts.mtimeMs }];
    }),
  );
  const files = found.flat().sort((a, b) => a.usedAtMs - b.usedAtMs);
  let total = files.reduce((sum, { size }) => sum + size, bytes);
  for (const { name, size } of files) {
    if (total <= mostBytes) return;
    await rm(path.join(folder, name), { force: true });
    total -= size;
  }
}
