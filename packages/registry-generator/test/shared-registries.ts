// Vitest's global set-up of these tests: a folder for the registries that most of them read.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the shared registries (registry-of.ts). */
    sharedRegistries: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "tdf-registries-"));
  project.provide("sharedRegistries", folder);
  return () => rm(folder, { recursive: true, force: true });
}
