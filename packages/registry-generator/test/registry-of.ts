import { existsSync } from "node:fs";
import { mkdir, rename, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";
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
  const isUsual = (options.seed ?? 1) === 1 && options.firstDay === undefined;
  const shared = isUsual ? SHARED.get(options.carriers) : undefined;
  return shared ? sharedRegistry({ carriers: options.carriers, ...shared }) : generate(options);
}

/** The first test that needs it makes it; tests of other processes wait. */
async function sharedRegistry(options: Options): Promise<string> {
  const folder = path.join(inject("sharedRegistries"), String(options.carriers));
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    if (!(await take(lock))) {
      await setTimeout(50);
      continue;
    }
    try {
      if (!existsSync(folder)) await rename(await generate(options), folder);
    } finally {
      await rmdir(lock);
    }
  }
  return folder;
}

/** Takes a lock, which is a folder; false if another process has it. */
const take = (lock: string): Promise<boolean> =>
  mkdir(lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );
