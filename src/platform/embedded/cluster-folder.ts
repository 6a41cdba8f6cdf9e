import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../operator-error.ts";

/** The cluster's folder, when the server's user can enter DATA_DIR. */
export const homeFolder = (home: string) => path.join(home, "postgres");

/** The file that names the cluster's folder when it is outside of DATA_DIR. */
export const pointerFile = (home: string) => path.join(home, "postgres-location");

/** The file in such a folder that names its DATA_DIR. */
export const ownerFile = (folder: string) => path.join(folder, "data-dir");

/** The cluster's folder of a DATA_DIR; null before the first start. */
export async function findCluster(home: string): Promise<string | null> {
  if (await stat(homeFolder(home)).catch(ifMissing)) return homeFolder(home);
  const folder = await readFile(pointerFile(home), "utf8").catch(ifMissing);
  if (folder === null) return null;
  if (!(await stat(folder).catch(ifMissing))) {
    throw new OperatorError(
      `The database that ${pointerFile(home)} names, ${folder}, does not exist. Restore it, or remove that file to start with an empty one.`,
    );
  }
  await refuseCopy(home, folder);
  return folder;
}

/** A DATA_DIR may be moved. A copy is refused, because it would share the original's database. */
async function refuseCopy(home: string, folder: string): Promise<void> {
  const owner = await readFile(ownerFile(folder), "utf8");
  if (owner === home) return;
  if ((await readFile(pointerFile(owner), "utf8").catch(() => null)) === folder) {
    throw new OperatorError(
      `${home} is a copy of ${owner} and would use the same database. Remove ${pointerFile(home)} to start with an empty one.`,
    );
  }
  await writeFile(ownerFile(folder), home);
}

const ifMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};
