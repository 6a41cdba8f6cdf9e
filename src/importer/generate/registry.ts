/*
 * The registry generator: a made-up registry in the real files' formats, for the demo, tests and benchmarks.
 * Owns nothing but the folder it writes. Promises the same bytes for the same arguments, on any machine, and memory
 * that does not grow with the number of carriers: each carrier is worked out anew from its number and the seed.
 */
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { addDays } from "../../platform/clock.ts";
import { CENSUS_COLUMNS } from "./census-columns.ts";
import { censusLine } from "./census-file.ts";
import { companyOf } from "./companies.ts";
import { LEGACY_AUTHHIST_COLUMNS } from "./legacy-authhist.ts";
import { legacyRows } from "./legacy-files.ts";
import { MOTUS_AUTHHIST_COLUMNS } from "./motus-authhist.ts";
import { MOTUS_CARRIER_COLUMNS } from "./motus-carrier.ts";
import { motusRows } from "./motus-files.ts";
import { createTextFile, csvLine, quotedLine, type TextFile } from "./text-file.ts";
import { createWorld, registeredBy, type World } from "./world.ts";

/** What to generate. Day i depends only on seed, carriers, firstDay and i, so days can be added later. */
export interface RegistryOptions {
  /** Folder to write `day-00`, `day-01` … into; made when missing, files in it replaced. */
  outDir: string;
  /** Census rows on day 0, at least 1. */
  carriers: number;
  /** A whole number from 0 to 4294967295. */
  seed: number;
  /** Date of day 0, YYYY-MM-DD; day i is i days later. */
  firstDay: string;
  /** Number of days, at least 1. */
  days: number;
  /** First day to write, for adding days to a registry written before; 0 when left out. */
  fromDay?: number;
  /** Called now and then with the carriers done and to do, over all days. */
  onProgress?: (done: number, total: number) => void;
}

/** One day's folder as it was written. `rows` counts lines of data, not the header. */
export interface GeneratedDay {
  date: string;
  dir: string;
  files: Array<{ name: string; rows: number }>;
}

const LEGACY_FILES = ["legacy_carrier.txt", "legacy_authhist.csv"] as const;
const BYTE_ORDER_MARK = "\uFEFF";
const PROGRESS_STEP = 2000;

/** Writes the files of each day and tells what was written. Errors of the file system are thrown as they are. */
export async function generateRegistry(options: RegistryOptions): Promise<GeneratedDay[]> {
  const { outDir, carriers, seed, firstDay, days, fromDay = 0, onProgress } = options;
  const world = createWorld(seed, carriers, firstDay);
  const written: GeneratedDay[] = [];
  let total = 0;
  for (let day = fromDay; day < days; day += 1) total += registeredBy(world, world.firstDay + day);
  let done = 0;
  for (let day = fromDay; day < days; day += 1) {
    const dir = join(outDir, `day-${String(day).padStart(2, "0")}`);
    await mkdir(dir, { recursive: true });
    const files = await writeDay(world, world.firstDay + day, dir, written[0], (count) => {
      done += count;
      onProgress?.(done, total);
    });
    written.push({ date: addDays(firstDay, day), dir, files });
  }
  return written;
}

async function writeDay(
  world: World,
  day: number,
  dir: string,
  first: GeneratedDay | undefined,
  report: (count: number) => void,
): Promise<GeneratedDay["files"]> {
  const files = new Map<string, TextFile>();
  const open = async (name: string) => {
    const file = await createTextFile(join(dir, name));
    files.set(name, file);
    return file;
  };
  try {
    const census = await open("census.csv");
    const motusCarrier = await open("motus_carrier.csv");
    const motusAuthHist = await open("motus_authhist.csv");
    const legacy = first ? undefined : ([await open(LEGACY_FILES[0]), await open(LEGACY_FILES[1])] as const);
    census.add(CENSUS_COLUMNS.join(","));
    // One file of the five begins with a byte order mark, as exports of some tools do.
    motusCarrier.add(BYTE_ORDER_MARK + MOTUS_CARRIER_COLUMNS.join(","));
    motusAuthHist.add(MOTUS_AUTHHIST_COLUMNS.join(","));
    legacy?.[1].add(LEGACY_AUTHHIST_COLUMNS.join(","));
    const specimens: Record<"carrier" | "authHist", string[][]> = { carrier: [], authHist: [] };

    const end = registeredBy(world, day);
    for (let index = 0; index < end; index += 1) {
      const company = companyOf(world, index, day);
      if (company.isInCensus) census.add(censusLine(world, company), company.isLatin1);
      const motus = motusRows(world, company, day);
      for (const row of motus.carrier) motusCarrier.add(csvLine(row));
      for (const row of motus.authHist) motusAuthHist.add(csvLine(row));
      keepSpecimen(specimens.carrier, motus.carrier, world.shares.brokenRows);
      keepSpecimen(specimens.authHist, motus.authHist, world.shares.brokenRows);
      if (legacy) {
        // Frozen: written as of day 0, also when the folder being written is a later day's.
        const then = day === world.firstDay ? company : companyOf(world, index, world.firstDay);
        const rows = legacyRows(world, then);
        for (const row of rows.carrier) legacy[0].add(quotedLine(row), company.isLatin1);
        for (const row of rows.authHist) legacy[1].add(csvLine(row));
      }
      for (const file of files.values()) await file.settle();
      if ((index + 1) % PROGRESS_STEP === 0) report(PROGRESS_STEP);
    }
    report(end % PROGRESS_STEP);
    specimens.carrier.forEach((row, at) => {
      motusCarrier.add(csvLine(withoutId(row, at)));
    });
    specimens.authHist.forEach((row, at) => {
      motusAuthHist.add(csvLine(withoutId(row, at)));
    });
  } catch (error) {
    await Promise.allSettled([...files.values()].map((file) => file.abandon()));
    throw error;
  }
  const counts: GeneratedDay["files"] = [];
  for (const [name, file] of files) {
    const lines = await file.close();
    counts.push({ name, rows: name === LEGACY_FILES[0] ? lines : lines - 1 });
  }
  if (first) counts.push(...(await copyLegacy(first, dir)));
  return counts;
}

function keepSpecimen(kept: string[][], rows: readonly string[][], most: number): void {
  const row = rows[0];
  if (row && kept.length < most) kept.push(row);
}

/** A row that lacks its docket or its USDOT number, by turns: Motus has a few in each file. */
const withoutId = (row: readonly string[], at: number): string[] =>
  row.map((field, column) => (column === at % 2 ? "" : field));

/** The legacy files are frozen: every day carries the very same bytes. */
async function copyLegacy(first: GeneratedDay, dir: string): Promise<GeneratedDay["files"]> {
  for (const name of LEGACY_FILES) await copyFile(join(first.dir, name), join(dir, name));
  return first.files.filter(({ name }) => LEGACY_FILES.some((legacy) => legacy === name));
}
