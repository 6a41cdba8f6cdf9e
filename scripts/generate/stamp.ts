import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { writeIfChanged } from "./write-if-changed.ts";

/** A part of src/generated; its paths are relative to the project. */
export interface Part {
  /** The file that stores the hash of sources and outputs. */
  stamp: string;
  /** Files and folders that decide the outputs: also the generator's code and the versions of its packages. */
  sources: string[];
  outputs: string[];
  write(): Promise<void>;
}

/** Writes a part unless its outputs are complete, unchanged and up to date with the sources. */
export async function unlessUpToDate(root: string, part: Part): Promise<void> {
  const stampFile = path.join(root, part.stamp);
  const stamp = await readFile(stampFile, "utf8").catch(() => null);
  if (stamp !== null && stamp === (await stampOf(root, part))) return;
  await part.write();
  await writeIfChanged(stampFile, await stampOf(root, part));
}

async function stampOf(root: string, { sources, outputs }: Part): Promise<string> {
  const hash = createHash("sha256");
  for (const source of [...sources, ...outputs]) {
    for (const file of await filesUnder(path.join(root, source))) {
      const content = await readFile(file).catch(() => "missing");
      hash.update(`${path.relative(root, file)}\n`).update(content);
    }
  }
  return `${hash.digest("hex")}\n`;
}

async function filesUnder(source: string): Promise<string[]> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [source];
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => path.join(entry.parentPath, entry.name)).sort();
}
