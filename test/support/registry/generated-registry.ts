import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RegistryOptions } from "@trucking-data-feed/registry-generator";
import { parse } from "csv-parse/sync";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";

export const FIXTURES = new URL("../../fixtures/fmcsa/", import.meta.url);
export const LAST_LEGACY_DAY = "20260514";
/** The live files that differences are made of. */
export const MOTUS_FILES = [
  "motus_carrier.csv",
  "motus_authhist.csv",
  "motus_revokesuspend.csv",
  "motus_insur.csv",
  "motus_inshist.csv",
  "motus_boc3.csv",
];
export const LEGACY_FILES = [
  "legacy_carrier.txt",
  "legacy_authhist.csv",
  "legacy_revocation.csv",
  "legacy_insur.txt",
  "legacy_actpendinsur.csv",
  "legacy_inshist.txt",
  "legacy_boc3.csv",
];
const FILES = ["census.csv", "oos_order.csv", ...MOTUS_FILES, ...LEGACY_FILES];

/** A row of a file with a header, by column. */
export type Row = Record<string, string>;

/** Folders of generated registries, removed together. */
const roots: string[] = [];

/** A cache of parsed files by path: most tests of a registry read the same ones, and test files of a shared registry. */
const parsed = new Map<string, Promise<Row[]>>();

/** Writes a registry of 3,000 carriers on one day, unless the options say otherwise, and returns its folder. */
export async function generate(options: Partial<RegistryOptions> = {}): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "registry-"));
  roots.push(outDir);
  await generateRegistry({ outDir, carriers: 3000, seed: 1, firstDay: "2026-10-01", days: 1, ...options });
  return outDir;
}

/** Removes every registry this test file generated. */
export async function removeGenerated(): Promise<void> {
  for (const dir of roots.splice(0)) {
    for (const file of parsed.keys()) if (file.startsWith(dir)) parsed.delete(file);
    await rm(dir, { recursive: true, force: true });
  }
}

const pathOf = (dir: string, day: number, file: string, kind = "") =>
  join(dir, `day-${String(day).padStart(2, "0")}${kind}`, file);
const bytes = (...of: Parameters<typeof pathOf>) => readFile(pathOf(...of));

function rowsOf(file: string): Promise<Row[]> {
  const known = parsed.get(file);
  if (known) return known;
  const read = readFile(file).then((content): Row[] => parse(content, { columns: true, bom: true }));
  parsed.set(file, read);
  return read;
}

/** A file as Latin-1 text, so that each byte is one character. */
export async function text(dir: string, day: number, file: string): Promise<string> {
  return (await bytes(dir, day, file)).toString("latin1");
}

/** The rows of a file with a header. */
export const rows = (dir: string, day: number, file: string): Promise<readonly Row[]> =>
  rowsOf(pathOf(dir, day, file));

/** The rows of a file of a day's differences. */
export const differenceRows = (dir: string, day: number, file: string): Promise<readonly Row[]> =>
  rowsOf(pathOf(dir, day, file, "-difference"));

/** The rows of a file of day 0 that has no header. */
export async function textRows(dir: string, file: string): Promise<string[][]> {
  return parse(await bytes(dir, 0, file));
}

/** The rows of the legacy Carrier file of day 0. */
export const legacyCarriers = (dir: string): Promise<string[][]> => textRows(dir, "legacy_carrier.txt");

/** A hash of each file of a day, or of its differences. */
export async function hashes(dir: string, day: number, files = FILES, kind = ""): Promise<string[]> {
  const contents = await Promise.all(files.map((file) => bytes(dir, day, file, kind)));
  return contents.map((content) => createHash("sha256").update(content).digest("hex"));
}

/** The ratio of a part to a list, from 0 to 1. */
export const share = (part: number, whole: readonly unknown[]) => part / whole.length;
export const countBy = <T>(list: readonly T[], holds: (item: T) => boolean) => list.filter(holds).length;
