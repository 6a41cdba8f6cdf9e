import { access, constants, open, readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Dataset } from "../../registry/datasets.ts";
import { MANIFEST_NAME, type ManifestEntry, readManifest } from "./manifest.ts";
import { Refusal, unreadable } from "./refusal.ts";

/** A file of the folder. */
export interface FolderFile {
  name: string;
  path: string;
  sizeBytes: number;
  isGzip: boolean;
  /** Its entry in the folder's manifest. */
  noted?: ManifestEntry | undefined;
}

/** A file that is not read, and the reason as text. */
export interface SkippedFile {
  file: string;
  why: string;
  /** The dataset that the file should be by its name, although its content is none that is known. */
  named?: Dataset;
}

/**
 * The files of a folder by name, without subfolders and hidden files. Refusal for a link that is broken or leads out of
 * the folder, since its file would be missed without notice. OperatorError if there is no such folder.
 */
export async function listFolder(dir: string): Promise<{ files: FolderFile[]; skipped: SkippedFile[] }> {
  const files: FolderFile[] = [];
  const skipped: SkippedFile[] = [];
  const root = await requireFolder(dir);
  const noted = new Map((await readManifest(root)).map((entry) => [entry.file, entry]));
  for (const name of (await readdir(root)).sort()) {
    if (name.startsWith(".") || name === MANIFEST_NAME) continue;
    const target = await realpath(path.join(root, name)).catch(() => null);
    if (target === null)
      throw new Refusal(`${name} is a link that leads nowhere; remove it from the folder.`);
    if (path.dirname(target) !== root) {
      throw new Refusal(`${name} is a link that leads out of the folder; put the file itself there.`);
    }
    const info = await stat(target);
    if (!info.isFile()) skipped.push({ file: name, why: "not a file; folders are not searched" });
    else {
      const isGzipped = await isGzip(target);
      files.push({ name, path: target, sizeBytes: info.size, isGzip: isGzipped, noted: noted.get(name) });
    }
  }
  return { files, skipped };
}

/** The real path of a folder that this user may read. OperatorError if there is no such folder. */
export async function requireFolder(dir: string): Promise<string> {
  const root = await realpath(dir).catch(() => null);
  if (root === null || !(await stat(root)).isDirectory()) {
    throw new OperatorError(
      `There is no folder ${path.resolve(dir)}; name the one that holds the registry files.`,
    );
  }
  await access(root, constants.R_OK | constants.X_OK);
  return root;
}

/** Looks at the first bytes, since the name of a download may be wrong. Refusal when they can't be read. */
async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
