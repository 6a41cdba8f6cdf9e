// Files that an operator names.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Stats } from "node:fs";
import {
  access,
  constants,
  type FileHandle,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDiskFull, OperatorError, solutionOf } from "./operator-error.ts";

/** Opens a file, or a pipe, to read it once. OperatorError when it can't be read. */
export async function openFile(file: string): Promise<FileHandle> {
  await requireNoFolder(file);
  return open(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`The file ${file} can't be read (${error.code}).`);
  });
}

/** Refuses what can't be replaced, nor be read twice. A file that is missing is none of that. OperatorError. */
export async function requireFile(file: string): Promise<Stats | null> {
  const found = await requireNoFolder(file);
  if (found === null || found.isFile()) return found;
  throw new OperatorError(`${file} is a device or a pipe; name a file.`);
}

export interface WholeFile {
  file: string;
  /** What is written, as the sentence says when it was stopped. */
  what: string;
  /** Stops it; nothing is left then. */
  signal: AbortSignal;
}

/**
 * Writes a file that only its owner may read. It gets its name when it is complete: a file of that name stays as it is until
 * then, and a failure leaves nothing. A link is followed. OperatorError when it can't be written, or was stopped.
 */
export async function writeFileWhole<T>(
  { file, what, signal }: WholeFile,
  write: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const target = await targetOf(file);
  // In a container each process may have the same number: what a killed one left must not be in the way.
  const unfinished = `${target}.${randomUUID()}.part`;
  const handle = await open(unfinished, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw notWritten(file, error);
  });
  try {
    // What is written may wait for the database, which does not hear of the signal.
    const written = await Promise.race([write(handle), rejectionOn(signal)]);
    await rename(unfinished, target);
    return written;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (signal.aborted)
      throw new OperatorError(`The ${what} was stopped. No file was written.`, { solution: "later" });
    throw isOfDisk(error as NodeJS.ErrnoException) ? notWritten(file, error as NodeJS.ErrnoException) : error;
  } finally {
    await handle.close().catch(() => {});
  }
}

/** Whether a disk has no room for a file, or not for one of its size. */
const hasNoRoom = (error: NodeJS.ErrnoException): boolean => isDiskFull(error) || error.code === "EFBIG";

/** Whether the disk failed while a file was written. The connection to the database, which is read meanwhile, has no such error. */
const isOfDisk = (error: NodeJS.ErrnoException): boolean =>
  hasNoRoom(error) || error.code === "EIO" || error.code === "EROFS";

const notWritten = (file: string, error: NodeJS.ErrnoException): OperatorError =>
  new OperatorError(
    `The file ${file} can't be written (${error.code}).` +
      (hasNoRoom(error) ? " Free some space there, or name a file on a disk with more room." : ""),
    { cause: error, solution: solutionOf(error) },
  );

/** The OperatorError of a folder, named by --out, in which something could not be written. */
export async function folderNotWritten(dir: string, error: NodeJS.ErrnoException): Promise<OperatorError> {
  // Node says ENOENT of a new folder on a read-only disk.
  const cause = error.code === "ENOENT" ? ((await whyNotMade(dir)) ?? error) : error;
  const todo = hasNoRoom(cause)
    ? "free some space there, or choose a folder on a disk with more room"
    : "choose a folder that can be written to";
  return new OperatorError(`Could not write into ${dir} (${cause.code}): ${todo} with --out.`, {
    cause,
    solution: solutionOf(cause),
  });
}

/** Why the nearest folder above, or the folder itself, takes no file; null when it does. */
async function whyNotMade(dir: string): Promise<NodeJS.ErrnoException | null> {
  if ((await stat(dir).catch(() => null)) === null && path.dirname(dir) !== dir)
    return whyNotMade(path.dirname(dir));
  return access(dir, constants.W_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
}

async function rejectionOn(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw signal.reason;
}

/** Where a file is to be written: for a link, where it leads, even if nothing is there yet. */
async function targetOf(file: string): Promise<string> {
  if ((await requireFile(file)) !== null) return realpath(file);
  const link = await readlink(file).catch(() => null);
  if (link === null || path.isAbsolute(link)) return link ?? file;
  return `${path.dirname(file)}/${link}`;
}

async function requireNoFolder(file: string): Promise<Stats | null> {
  // As of a variable that is not set.
  if (file === "") throw new OperatorError("The name of the file is empty.");
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory()) throw new OperatorError(`${file} is a folder; name a file.`);
  return found;
}

const SQLITE_BUSY = 5;

/**
 * Takes the lock of an empty file, which is made if missing; null when another process holds it. Node has no file locks, so
 * this uses SQLite's. The system releases it when the process ends.
 */
export function tryLockFile(file: string): { close(): void } | null {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    // Nothing is ever written. A journal file would only be left behind.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    return null;
  }
}
