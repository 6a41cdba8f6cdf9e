import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { generateRegistry, type RegistryOptions } from "../../src/importer/generate/registry.ts";

export const FIXTURES = new URL("../fixtures/fmcsa/", import.meta.url);
export const LAST_LEGACY_DAY = "20260514";
const FILES = [
  "census.csv",
  "motus_carrier.csv",
  "motus_authhist.csv",
  "legacy_carrier.txt",
  "legacy_authhist.csv",
];

/** A row of a file with a header, by column. */
export type Row = Record<string, string>;

/** Folders of generated registries, removed together. */
const roots: string[] = [];

/** Writes a registry of 3,000 carriers on one day, unless the options say otherwise, and returns its folder. */
export async function generate(options: Partial<RegistryOptions> = {}): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "registry-"));
  roots.push(outDir);
  await generateRegistry({ outDir, carriers: 3000, seed: 1, firstDay: "2026-10-01", days: 1, ...options });
  return outDir;
}

/** Removes every registry this test file generated. */
export async function removeGenerated(): Promise<void> {
  for (const dir of roots.splice(0)) await rm(dir, { recursive: true, force: true });
}

const bytes = (dir: string, day: number, file: string) =>
  readFile(join(dir, `day-${String(day).padStart(2, "0")}`, file));

/** A file as Latin-1 text, so that each byte is one character. */
export async function text(dir: string, day: number, file: string): Promise<string> {
  return (await bytes(dir, day, file)).toString("latin1");
}

/** The rows of a file with a header. */
export async function rows(dir: string, day: number, file: string): Promise<Row[]> {
  return parse(await bytes(dir, day, file), { columns: true, bom: true });
}

/** The rows of the legacy Carrier file of day 0, which has no header. */
export async function legacyCarriers(dir: string): Promise<string[][]> {
  return parse(await bytes(dir, 0, "legacy_carrier.txt"));
}

/** A hash of each file of a day. */
export async function hashes(dir: string, day: number, files = FILES): Promise<string[]> {
  const contents = await Promise.all(files.map((file) => bytes(dir, day, file)));
  return contents.map((content) => createHash("sha256").update(content).digest("hex"));
}

/** The part of a list as a number from 0 to 1. */
export const share = (part: number, whole: readonly unknown[]) => part / whole.length;
export const countBy = <T>(list: readonly T[], holds: (item: T) => boolean) => list.filter(holds).length;
