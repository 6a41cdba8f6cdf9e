import { mkdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../context.ts";
import { OperatorError, solutionOf } from "../operator-error.ts";

/** PostgreSQL needs this much to start: one segment of its write-ahead log. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;

/** The folder of files that are made from the database, and made anew when they are missing. */
export const cacheIn = ({ dataDir }: Pick<Config, "dataDir">): string => path.join(dataDir, "cache");

/** Creates DATA_DIR if it is missing. OperatorError when this process can't write there. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const probe = path.join(dataDir, `write-check.${process.pid}`);
  try {
    await makeFolder(dataDir);
    await writeFile(probe, "checks that this folder can be written");
    await rm(probe);
  } catch (error) {
    // A full disk may accept the name of a file but not its content.
    await rm(probe, { force: true }).catch(() => {});
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new OperatorError(`DATA_DIR ${dataDir} ${REASONS[code] ?? `can't be used (${code}): ${REMEDY}`}.`, {
      cause: error,
      solution: solutionOf(error as NodeJS.ErrnoException),
    });
  }
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < LEAST_FREE_BYTES) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} ${full(`${Math.floor((bavail * bsize) / 1024 / 1024)} MB free`)}.`,
      { solution: "later" },
    );
  }
}

const REMEDY = "name another folder in DATA_DIR";

const full = (detail: string) => `is on a full disk (${detail}): free some space, or ${REMEDY}`;

const notAllowed = (code: string) =>
  `can't be written by this user (${code}): give this user the folder with chown, start as its owner, or ${REMEDY}`;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: notAllowed("EACCES"),
  EPERM: notAllowed("EPERM"),
  EROFS: `is on a file system that can only be read (EROFS): ${REMEDY}`,
  ENOSPC: full("ENOSPC"),
  EDQUOT: full("EDQUOT"),
  ENOTDIR: `is not a folder (ENOTDIR): ${REMEDY}`,
};

/** Like mkdir with `recursive`, which never returns when the system reports ENOENT although the parent exists. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => null,
    );
    if (isFolder) return;
    if (isFolder === false) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
    const parent = path.dirname(folder);
    if (code !== "ENOENT" || (await stat(parent).catch(() => null))) throw error;
    await makeFolder(parent);
    await mkdir(folder);
  }
}
