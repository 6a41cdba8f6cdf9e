import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";

/** Writes a changed file atomically, so that a program that starts meanwhile never reads half of it. */
export async function writeIfChanged(file: string, text: string): Promise<boolean> {
  const existing = await readFile(file, "utf8").catch(() => null);
  if (existing === text) return false;
  await mkdir(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.tmp`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
  return true;
}
