/*
 * The generator writes a made-up registry in the real files' formats, for the demo, tests and benchmarks.
 * It owns only the folder that it writes. It promises the same bytes for the same arguments on any machine, and memory
 * that does not grow with the number of carriers: it derives each carrier from its number and the seed.
 */
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { companyOf } from "./companies/companies.ts";
import { type RelationKind, relationsOf } from "./companies/relations.ts";
import { type GeneratedFile, openDayFiles, openDifferenceFiles } from "./day-files.ts";
import { differenceRows } from "./differences.ts";
import { isoDay } from "./histories/dates.ts";
import { createWorld, registeredBy, type World } from "./histories/world.ts";
import type { Layout } from "./layout.ts";
import { LEGACY_FILES, legacyRows } from "./legacy/legacy-files.ts";
import { motusRows } from "./motus/motus-files.ts";
import type { RealRegistry } from "./real-registry.ts";

/** Options of the generator. Day i depends only on seed, carriers, firstDay and i, so days can be added later. */
export interface RegistryOptions {
  /** Folder for `day-00`, `day-01` …; created when missing, files in it are replaced. */
  outDir: string;
  /** Census rows on day 0, at least 1. */
  carriers: number;
  /** A whole number from 0 to 4294967295. */
  seed: number;
  /** Date of day 0, YYYY-MM-DD; day i is i days later. */
  firstDay: string;
  /** Number of days, at least 1. */
  days: number;
  /** First day to write, to add days to a registry written before; 0 unless given. */
  fromDay?: number;
  /** Share of the companies that edit their census row in a day; that of the real registry unless given. */
  dailyEdits?: number;
  /** Also writes a folder `day-01-difference` and so on with the Motus files' daily differences. */
  differences?: boolean;
  /** Index of the day from which the Motus files have all authorities and policies of the legacy files. */
  historyMovesOn?: number | undefined;
  /** Also makes successors, families, franchises and the like; each day's `related` names them. */
  hasRelations?: boolean;
  /** Name of a file that gets one more column in its middle, on each day that is written. */
  addedColumn?: string | undefined;
  /** Name of a file whose columns are in the opposite order. */
  reordered?: string | undefined;
  /** Called from time to time with the carriers done and to do, over all days. */
  onProgress?: (done: number, total: number) => void;
}

/** One day's written folder. `rows` counts lines of data, not the header. */
export interface GeneratedDay {
  date: string;
  dir: string;
  files: GeneratedFile[];
  /** The companies with something in common, on request. */
  related?: readonly RelatedCompany[];
  /** The folder of its daily differences, on request; the very first day has none. */
  difference?: { dir: string; files: GeneratedFile[] };
}

/** A company of a group with something in common. Groups are known by the USDOT number of the one that had it first. */
export interface RelatedCompany {
  kind: RelationKind;
  group: number;
  usdot: number;
  /** Whether it names that one as its predecessor. */
  isDeclared: boolean;
}

const PROGRESS_STEP = 2000;

/** Writes the files of each day and returns a list of them. Errors of the file system are thrown unchanged. */
export async function generateRegistry(
  real: RealRegistry,
  options: RegistryOptions,
): Promise<GeneratedDay[]> {
  const { outDir, carriers, seed, firstDay, days, fromDay = 0, differences = false, onProgress } = options;
  const { dailyEdits, historyMovesOn, hasRelations } = options;
  const world = createWorld(real, { seed, carriers, firstDay, dailyEdits, historyMovesOn, hasRelations });
  const written: GeneratedDay[] = [];
  let total = 0;
  for (let day = fromDay; day < days; day += 1) total += registeredBy(world, world.firstDay + day);
  let done = 0;
  for (let day = fromDay; day < days; day += 1) {
    const name = `day-${String(day).padStart(2, "0")}`;
    const request: DayRequest = {
      day: world.firstDay + day,
      dir: join(outDir, name),
      differenceDir: differences && day > 0 ? join(outDir, `${name}-difference`) : undefined,
      first: written[0],
      censusColumns: real.censusColumns,
      layout: options,
    };
    const report = (count: number) => {
      done += count;
      onProgress?.(done, total);
    };
    written.push({
      date: isoDay(request.day),
      ...(await writeDay(world, request, report)),
      ...(world.hasRelations && { related: relatedOn(world, request.day) }),
    });
  }
  return written;
}

function relatedOn(world: World, day: number): RelatedCompany[] {
  return [...relationsOf(world)].map(([index, { kind, lead }]) => {
    const { dotNumber: usdot, predecessor } = companyOf(world, index, day);
    return {
      kind,
      group: companyOf(world, lead, day).dotNumber,
      usdot,
      isDeclared: predecessor !== undefined,
    };
  });
}

interface DayRequest {
  day: number;
  dir: string;
  differenceDir: string | undefined;
  /** The first day that this run writes; its legacy files are copied to all other days. */
  first: GeneratedDay | undefined;
  censusColumns: readonly string[];
  layout: Layout;
}

async function writeDay(
  world: World,
  { day, dir, differenceDir, first, censusColumns, layout }: DayRequest,
  report: (count: number) => void,
): Promise<Omit<GeneratedDay, "date">> {
  await mkdir(dir, { recursive: true });
  if (differenceDir) await mkdir(differenceDir, { recursive: true });
  const files = await openDayFiles(dir, censusColumns, first === undefined, layout);
  const difference = differenceDir ? await openDifferenceFiles(differenceDir, layout) : undefined;
  try {
    const end = registeredBy(world, day);
    const endBefore = registeredBy(world, day - 1);
    for (let index = 0; index < end; index += 1) {
      const company = companyOf(world, index, day);
      files.addCensus(world, company);
      files.addOrders(world, company, day);
      const now = motusRows(world, company, day);
      files.addMotus(company, now);
      if (difference) {
        const before =
          index < endBefore ? motusRows(world, companyOf(world, index, day - 1), day - 1) : undefined;
        difference.addMotus(company, differenceRows(world, company, day, before, now));
      }
      if (first === undefined) {
        // Legacy rows are those of day 0, also in the folder of a later day.
        const then = day === world.firstDay ? company : companyOf(world, index, world.firstDay);
        files.addLegacy(company, legacyRows(world, then));
      }
      await files.settle();
      await difference?.settle();
      if ((index + 1) % PROGRESS_STEP === 0) report(PROGRESS_STEP);
    }
    report(end % PROGRESS_STEP);
    // The last lines are written here, so this can fail for want of room too.
    const written: Omit<GeneratedDay, "date"> = { dir, files: await files.close() };
    if (difference && differenceDir)
      written.difference = { dir: differenceDir, files: await difference.close() };
    if (first) written.files.push(...(await copyLegacy(first, dir)));
    return written;
  } catch (error) {
    await files.abandon();
    await difference?.abandon();
    throw error;
  }
}

/** The legacy files have the same bytes on every day. */
async function copyLegacy(first: GeneratedDay, dir: string): Promise<GeneratedFile[]> {
  const names = new Set<string>(Object.values(LEGACY_FILES).map(({ name }) => name));
  const legacy = first.files.filter(({ name }) => names.has(name));
  for (const { name } of legacy) await copyFile(join(first.dir, name), join(dir, name));
  return legacy;
}
