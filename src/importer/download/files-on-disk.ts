import { appendFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../../platform/operator-error.ts";
import { folderNotWritten, tryLockFile } from "../../platform/operator-file.ts";

/** Paths of a file, of its partial download and of the notes on both. An import ignores names that begin with a dot. */
export interface FilePaths {
  file: string;
  part: string;
  fileNote: string;
  partNote: string;
}

export const filePathsOf = (dir: string, name: string): FilePaths => ({
  file: path.join(dir, name),
  part: path.join(dir, `.${name}.part`),
  fileNote: path.join(dir, `.${name}.json`),
  partNote: path.join(dir, `.${name}.part.json`),
});

/** Locks a folder: two downloads would write into the same partial files. OperatorError while another one runs. */
export async function lockFolder(dir: string): Promise<{ close(): void }> {
  const file = path.join(dir, ".download.lock");
  let lock: ReturnType<typeof tryLockFile>;
  try {
    lock = tryLockFile(file);
  } catch (error) {
    // SQLite does not say why it can't open a file, as on a read-only disk.
    await appendFile(file, "").catch(async (reason: NodeJS.ErrnoException) => {
      throw await folderNotWritten(dir, reason);
    });
    throw error;
  }
  if (lock !== null) return lock;
  throw new OperatorError(`Another download into ${dir} is running; wait until it is done.`, {
    solution: "later",
  });
}

/** The server's headers of a downloaded file; the note is stored beside it. */
export interface Note {
  url: string;
  etag: string;
  sizeBytes: number | null;
}

/** The note; null when it is missing, unreadable or for another URL. */
export async function readNote(file: string, url: string): Promise<Note | null> {
  try {
    const note = JSON.parse(await readFile(file, "utf8")) as Note;
    return note.url === url && typeof note.etag === "string" ? note : null;
  } catch {
    return null;
  }
}

export const writeNote = (file: string, note: Note): Promise<void> => writeFile(file, JSON.stringify(note));

/** Size of a file in bytes; null when there is none. */
export async function sizeOf(file: string): Promise<number | null> {
  const info = await stat(file).catch(() => null);
  return info?.isFile() ? info.size : null;
}

/** Removes the partial download and its note. */
export async function dropPart(paths: FilePaths): Promise<void> {
  await rm(paths.partNote, { force: true });
  await rm(paths.part, { force: true });
}
