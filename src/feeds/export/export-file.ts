import { createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import type { Context } from "../../platform/context.ts";
import { copyTo } from "../../platform/database/copy.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { instanceId } from "../../platform/installation/installation.ts";
import { countOf } from "../../platform/plural.ts";
import { fromVersion, type PublishedVersion } from "../versions/feed-version.ts";
import { readRows } from "../versions/read-rows.ts";
import { versionTable } from "../versions/version-table.ts";
import * as sql from "./statements.ts";

const folders = perDatabase(() => ({ folder: null as Promise<string> | null }));

/** The files that this process is writing, by full name. */
const making = new Map<string, Promise<void>>();

/**
 * Opens the version's rows as a file: one row's finished CSV cells per line, ended by LF, in the feed's order. The file
 * is made from the database at the first call and stays in DATA_DIR/cache until the version is dropped. It gets its final
 * name when it is complete. The caller closes the file; an open file stays readable after its removal.
 */
export async function openExportFile(context: Context, version: PublishedVersion): Promise<FileHandle> {
  const file = path.join(await folderOf(context), fileNameOf(version));
  // Tried twice: another process that removes leftovers may remove the file before it is opened.
  for (const isLastTry of [false, true]) {
    const existing = await openIfThere(file);
    if (existing) return existing;
    await makeShared(context, version, file);
    if (isLastTry) break;
  }
  return open(file, "r");
}

const fileNameOf = ({ id, feed, publishedAtMs }: PublishedVersion): string =>
  `${feed.code}_${id}_${publishedAtMs}.csv`;

async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function folderOf(context: Context): Promise<string> {
  const state = folders(context.db);
  state.folder ??= makeFolder(context).catch((error) => {
    state.folder = null;
    throw error;
  });
  return state.folder;
}

async function makeFolder(context: Context): Promise<string> {
  const folder = path.join(context.config.dataDir, "cache", await instanceId(context));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function makeShared(context: Context, version: PublishedVersion, file: string): Promise<void> {
  const running = making.get(file);
  if (running) return running;
  const fresh = make(context, version, file).finally(() => making.delete(file));
  making.set(file, fresh);
  return fresh;
}

async function make(context: Context, version: PublishedVersion, file: string): Promise<void> {
  await removeLeftovers(context, path.dirname(file));
  const unfinished = `${file}.${PROCESS_MARK}`;
  try {
    await fromVersion(version, () =>
      readRows(context, [version], async ({ bulkPool }, isStandby) => {
        // The file of a standby that failed is incomplete.
        await rm(unfinished, { force: true });
        await copyRows(bulkPool, version, unfinished, isStandby ? STANDBY_SILENCE_MS : null);
      }),
    );
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A standby that sends nothing for so long has failed. */
const STANDBY_SILENCE_MS = 5_000;

/** Fails when the server is silent for longer than `silenceMs`. */
async function copyRows(
  pool: pg.Pool,
  version: PublishedVersion,
  file: string,
  silenceMs: number | null,
): Promise<void> {
  const client = await pool.connect();
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("Query read timeout: no row came")), silenceMs ?? 0);
  if (silenceMs === null) clearTimeout(timer);
  let failure: Error | undefined;
  try {
    // No row contains these two control characters, so COPY leaves the finished cells as they are.
    const rows = copyTo(
      client,
      `COPY (SELECT csv FROM ${versionTable(version.id)} ORDER BY pos)
       TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`,
    );
    const lines = lineCounter(() => silenceMs !== null && timer.refresh());
    const output = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(rows, lines.stream, output, { signal: silence.signal });
    if (lines.count() !== version.rowCount) {
      throw new Error(
        `Version ${version.id} has ${countOf(version.rowCount, "row")}, its export ${countOf(lines.count(), "line")}.`,
      );
    }
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    clearTimeout(timer);
    // After a failure the connection may still be copying: the pool drops it.
    client.release(failure);
  }
}

function lineCounter(onChunk: () => void): { stream: Transform; count(): number } {
  let lines = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onChunk();
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines += 1;
      done(null, chunk);
    },
  });
  return { stream, count: () => lines };
}

/** Suffix of this process's incomplete files. Processes of several machines may share the folder. */
const PROCESS_MARK = `${hostname()}.${process.pid}.part`;

/** Removes files of dropped versions, and incomplete files of this machine's processes that no longer run. */
async function removeLeftovers(context: Context, folder: string): Promise<void> {
  const { rows } = await sql.listVersions.run(context.db.pool);
  const versions = new Set(rows.map(({ id }) => String(id)));
  for (const name of await readdir(folder)) {
    const [, file = "", id = "", mark] = /^(.*_(\d+)_\d+\.csv)(?:\.(.*))?$/.exec(name) ?? [];
    const isOver = mark === undefined ? !versions.has(id) : !isBeingWritten(path.join(folder, file), mark);
    if (file !== "" && isOver) await rm(path.join(folder, name), { force: true });
  }
}

function isBeingWritten(file: string, mark: string): boolean {
  if (mark === PROCESS_MARK) return making.has(file);
  const pid = /\.(\d+)\.part$/.exec(mark)?.[1];
  // The file of another machine: only that machine knows which of its processes run.
  if (!pid || mark !== `${hostname()}.${pid}.part`) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
