import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../operator-error.ts";

/** Where a cluster lies, if the server's user can enter DATA_DIR. */
export const homeFolder = (home: string) => path.join(home, "postgres");

/** Names the cluster's folder, where it could not lie in DATA_DIR itself. */
export const pointerFile = (home: string) => path.join(home, "postgres-location");

/** In such a folder: the DATA_DIR it belongs to. */
export const ownerFile = (folder: string) => path.join(folder, "data-dir");

/** The folder of the cluster that a DATA_DIR has; null before its first start. */
export async function findCluster(home: string): Promise<string | null> {
  if (await stat(homeFolder(home)).catch(ifMissing)) return homeFolder(home);
  const folder = await readFile(pointerFile(home), "utf8").catch(ifMissing);
  if (folder === null) return null;
  if (!(await stat(folder).catch(ifMissing))) {
    throw new OperatorError(
      `The database that ${pointerFile(home)} names, ${folder}, is gone; bring it back, or remove that file to begin with an empty one.`,
    );
  }
  await refuseCopy(home, folder);
  return folder;
}

/** DATA_DIR may be moved, but a copy would share the original's database. */
async function refuseCopy(home: string, folder: string): Promise<void> {
  const owner = await readFile(ownerFile(folder), "utf8");
  if (owner === home) return;
  if ((await readFile(pointerFile(owner), "utf8").catch(() => null)) === folder) {
    throw new OperatorError(
      `${home} is a copy of ${owner} and would use the same database; remove ${pointerFile(home)} to begin with an empty one.`,
    );
  }
  await writeFile(ownerFile(folder), home);
}

const ifMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};
