import { existsSync } from "node:fs";
import { mkdir, rename, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { generate } from "../../../test/support/registry/generated-registry.ts";

interface Options {
  carriers: number;
  days: number;
  seed?: number;
  firstDay?: string;
  differences?: boolean;
}

/**
 * The registries that several test files read, by the number of their carriers. A test may read fewer days: a day does not
 * depend on those after it.
 */
const SHARED = new Map([
  [3_000, { days: 12, differences: true }],
  [20_000, { days: 2, differences: false }],
]);

/** The folder of a registry: a shared one, or one that is made now. */
export async function registryOf(options: Options): Promise<string> {
  const isShared =
    (options.seed ?? 1) === 1 && options.firstDay === undefined && SHARED.has(options.carriers);
  return isShared ? sharedRegistry(options.carriers) : generate(options);
}

/** The first test that needs it makes it; tests of other processes wait. */
async function sharedRegistry(carriers: number): Promise<string> {
  const folder = path.join(inject("sharedRegistries"), String(carriers));
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    if (!(await isMade(lock))) {
      await setTimeout(50);
      continue;
    }
    try {
      if (!existsSync(folder)) await make(folder, carriers);
    } finally {
      await rmdir(lock);
    }
  }
  return folder;
}

const isMade = (lock: string): Promise<boolean> =>
  mkdir(lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );

async function make(folder: string, carriers: number): Promise<void> {
  const outDir = `${folder}.unfinished`;
  const { days, differences } = SHARED.get(carriers) ?? { days: 1, differences: false };
  await generateRegistry({ outDir, carriers, days, differences, seed: 1, firstDay: "2026-10-01" });
  await rename(outDir, folder);
}
