// Files that an operator names.
import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { OperatorError, solutionOf } from "./operator-error.ts";

/** Opens a file to read. OperatorError when it can't be read. */
export async function openFile(file: string): Promise<FileHandle> {
  await requireNoFolder(file);
  return open(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`The file ${file} can't be read (${error.code}).`);
  });
}

/**
 * Writes a file that only its owner may read. It gets its name when it is complete: a file of that name stays as it is until
 * then, and a failure leaves nothing. OperatorError when it can't be written.
 */
export async function writeFileWhole<T>(file: string, write: (handle: FileHandle) => Promise<T>): Promise<T> {
  await requireNoFolder(file);
  // In a container each process may have the same number: what a killed one left must not be in the way.
  const unfinished = `${file}.${randomUUID()}.part`;
  const handle = await open(unfinished, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`The file ${file} can't be written (${error.code}).`, {
      solution: solutionOf(error),
    });
  });
  try {
    const written = await write(handle);
    await rename(unfinished, file);
    return written;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await handle.close().catch(() => {});
  }
}

async function requireNoFolder(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory()) throw new OperatorError(`${file} is a folder; name a file.`);
}
