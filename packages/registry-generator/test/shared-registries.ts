// Vitest's global set-up of these tests: makes the two registries that most of them read, once a run.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folders of the shared registries, by the number of their carriers. */
    sharedRegistries: Record<number, string>;
  }
}

/** Both are of seed 1. A test may read fewer days: a day does not depend on those after it. */
const SHARED = [
  { carriers: 3_000, days: 12, differences: true },
  { carriers: 20_000, days: 2, differences: false },
];

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(path.join(tmpdir(), "tdf-registries-"));
  const folders: Record<number, string> = {};
  for (const options of SHARED) {
    const outDir = path.join(root, String(options.carriers));
    await generateRegistry({ outDir, seed: 1, firstDay: "2026-10-01", ...options });
    folders[options.carriers] = outDir;
  }
  project.provide("sharedRegistries", folders);
  return () => rm(root, { recursive: true, force: true });
}
