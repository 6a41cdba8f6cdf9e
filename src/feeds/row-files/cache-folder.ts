import { mkdir, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import * as sql from "../../generated/sql/feeds/row-files.ts";
import { cacheIn } from "../../platform/config/data-dir.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { instanceId } from "../../platform/installation/installation.ts";

const installations = perDatabase(() => ({ id: null as string | null }));

/** The files that this process is writing, by full name. */
const making = new Map<string, Promise<void>>();

/** The folder of the files that pages and exports are read from. Files of several processes are in it. */
export async function cacheFolder(context: Context): Promise<string> {
  const state = installations(context.db);
  state.id ??= await instanceId(context);
  return path.join(cacheIn(context.config), state.id);
}

/**
 * Opens a file of the folder. If it is not there, so that `open` gives null or fails, it is made first, once for all who ask
 * for it meanwhile.
 */
export async function openOrMake<File>(
  context: Context,
  file: string,
  open: () => Promise<File | null>,
  make: () => Promise<void>,
): Promise<File> {
  // Tried twice: another process that makes room may remove the file before it is opened.
  for (let tries = 0; tries < 2; tries++) {
    const opened = await open().catch(nullIfMissing);
    if (opened !== null) return opened;
    await makeOnce(context, file, make);
  }
  const opened = await open();
  if (opened === null) throw new Error(`${file} is not whole, although it was made anew.`);
  return opened;
}

/** For a file that need not be there: null if it is missing; other errors are thrown again. */
export function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
  throw error;
}

// First it makes the folder, which may have been removed since, and removes files that nobody needs.
function makeOnce(context: Context, file: string, make: () => Promise<void>): Promise<void> {
  const running = making.get(file);
  if (running) return running;
  const folder = path.dirname(file);
  const fresh = mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => removeLeftovers(context, folder))
    .then(make)
    .finally(() => making.delete(file));
  making.set(file, fresh);
  return fresh;
}

/** Suffix of this process's incomplete files. Processes of several machines may share the folder. */
export const PROCESS_MARK = `${hostname()}.${process.pid}.part`;

/** A cached file's name: feed, version, time of publication, form; then the mark of the process that writes it. */
const CACHED = /^([a-z_]+_(\d+)_\d+\.(?:csv|ndjson|[\w-]+\.parquet)(?:\.lengths)?)(?:\.(.*\.part))?$/;

/** Removes files of dropped versions, and incomplete files of this machine's processes that no longer run. */
async function removeLeftovers(context: Context, folder: string): Promise<void> {
  const rows = await sql.listVersions(context.db.pool);
  const versions = new Set(rows.map(({ id }) => String(id)));
  for (const name of await readdir(folder)) {
    const [, file = "", id = "", mark] = CACHED.exec(name) ?? [];
    const isOver = mark === undefined ? !versions.has(id) : !isBeingWritten(path.join(folder, file), mark);
    if (file !== "" && isOver) await rm(path.join(folder, name), { force: true });
  }
}

function isBeingWritten(file: string, mark: string): boolean {
  if (mark === PROCESS_MARK) return making.has(file.replace(/\.lengths$/, ""));
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
