import { readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { addDays, dayOf, systemClock } from "../../../src/platform/clock.ts";
import type { Bench } from "../frame/bench.ts";

/** A generated registry on disk. */
export interface Registry {
  /** Folders: the whole files of the first day, of the second day, and the second day's differences. */
  first: string;
  second: string;
  difference: string;
}

/** Share of the census that changes on the second day; in the real registry it is a seventh of this. */
const DAILY_EDITS = 0.01;

/** Maximum age of a kept registry: feeds of older files would be stale. */
const KEPT_DAYS = 3;

/** The registry with this many carriers, from an earlier run if that is recent enough. */
export async function registryOf(bench: Bench, carriers: number): Promise<Registry> {
  const today = dayOf(systemClock.now());
  const prefix = `registry-${carriers}-${bench.sizes.seed}-`;
  for (const name of await readdir(bench.folder)) {
    if (!name.startsWith(prefix)) continue;
    const registryFolder = path.join(bench.folder, name);
    if (name.slice(prefix.length) >= addDays(today, -KEPT_DAYS) && !name.endsWith(".part"))
      return foldersIn(registryFolder);
    await rm(registryFolder, { recursive: true });
  }
  const registryFolder = path.join(bench.folder, prefix + today);
  const draft = `${registryFolder}.part`;
  await rm(draft, { recursive: true, force: true });
  bench.say(`generating the registry of ${carriers} carriers`);
  await generateRegistry({
    outDir: draft,
    carriers,
    seed: bench.sizes.seed,
    firstDay: addDays(today, -1),
    days: 2,
    dailyEdits: DAILY_EDITS,
    differences: true,
  });
  await rename(draft, registryFolder);
  return foldersIn(registryFolder);
}

const foldersIn = (registryFolder: string): Registry => ({
  first: path.join(registryFolder, "day-00"),
  second: path.join(registryFolder, "day-01"),
  difference: path.join(registryFolder, "day-01-difference"),
});

/** The files of a folder with their sizes. */
export async function filesIn(folder: string): Promise<{ name: string; path: string; sizeBytes: number }[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const registryFolder = path.join(folder, name);
      return { name, path: registryFolder, sizeBytes: (await stat(registryFolder)).size };
    }),
  );
}
