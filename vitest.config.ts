import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";

// Tests start many processes: commands, importers, services. Compiled code of all of them is cached, as for commands.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, "node_modules/.cache/tdf");

// Databases and files of a run are in memory where there is room: half of the system's time went into writing them to disk.
const MEMORY = "/dev/shm";
if (process.env.TMPDIR === undefined && hasRoom()) {
  const folder = mkdtempSync(path.join(MEMORY, "tdf-tests-"));
  // PostgreSQL runs as another user than root.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  const GIGABYTE = 2 ** 30;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > 3 * GIGABYTE && process.availableMemory() > 6 * GIGABYTE;
  } catch {
    return false;
  }
}

/** The layers of tests, by folder. `unit` needs no database; the others share one PostgreSQL, see test/support. */
export default defineConfig(({ mode }) => {
  const isSoak = mode === "soak";
  const kind = ["soak", "generators"].includes(mode) ? mode : "test";
  const project = (name: string, folders: string, options: { globalSetup: string[]; isolate?: boolean }) => ({
    extends: true as const,
    test: {
      name,
      // `--mode soak` runs the long forms (`*.soak.ts`) in the place of the tests, `--mode generators` the generated clients.
      include: [`${folders}/**/*.${kind}.ts`],
      ...options,
    },
  });
  const globalSetup = ["test/support/postgres.ts"];
  return {
    test: {
      testTimeout: isSoak ? 7_200_000 : 60_000,
      hookTimeout: 120_000,
      // One more than the cores of a small machine: tests often wait for processes that they started.
      maxWorkers: 3,
      provide: { isSoak },
      projects: [
        // Test files share a process, since loading modules takes longer than many of them. Modules of src keep no state
        // but by database; a test that changes the process itself changes it back.
        project("unit", "test/unit", { globalSetup: [], isolate: false }),
        project("service", "test/service", { globalSetup, isolate: false }),
        project("contract", "test/{contract,clients}", { globalSetup }),
        project("stories", "test/{stories,recount,mutations}", { globalSetup }),
        project("sdk", "packages/{sdk,sdk-python}/test", { globalSetup }),
      ],
    },
  };
});
