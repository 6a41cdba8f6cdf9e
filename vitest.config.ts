import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

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

/** Files that take longest. They begin first: one that began last would run alone in the end. */
const LONGEST = [
  "service/pages/every-page",
  "recount/recount",
  "service/cli/start.test",
  "stories/killed-processes/killed-importer",
  "stories/removals/removed-business",
  "service/pages/reference/docs-page",
  "mutations/mutations",
  "stories/killed-processes/ended-dispatchers",
  "stories/removals/removals",
  "service/importer/checks/check.test",
  "stories/imports/broken-files",
  "service/api/connection/downloads-under-way",
  "service/cli/processes",
  "stories/event-readers",
  "service/suppression/flood",
];

/** Of each project the longest files first, then the others as Vitest orders them: by their last duration, or their size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((part) => moduleId.includes(part));
      return at === -1 ? LONGEST.length : at;
    };
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => rank(a) - rank(b)),
    );
  }
}

/**
 * The kinds of tests: `unit` needs nothing, `service` a PostgreSQL, which the run shares (test/support). Each project
 * starts its own processes and loads its modules there, so there are few.
 */
export default defineConfig(({ mode }) => {
  const isSoak = mode === "soak";
  const kind = ["soak", "generators", "deploy"].includes(mode) ? mode : "test";
  const project = (name: string, folders: string, globalSetup: string[]) => ({
    extends: true as const,
    test: {
      name,
      // `--mode soak` runs the long forms (`*.soak.ts`) in the place of the tests, `--mode generators` the generated
      // clients, `--mode deploy` the chart and compose.yaml.
      include: [`${folders}/**/*.${kind}.ts`],
      globalSetup,
    },
  });
  return {
    test: {
      // Tests that run at once wait for each other, longest on a busy machine.
      testTimeout: isSoak ? 7_200_000 : 180_000,
      hookTimeout: 180_000,
      // What a test waits for takes its time on a busy machine: Vitest would give up after a second.
      expect: { poll: { timeout: 20_000 } },
      sequence: { sequencer: LongestFirst },
      // One more than the cores of a small machine: tests often wait for processes that they started.
      maxWorkers: 3,
      // Tests of one file that run at the same time wait for one thing, such as a derivation of feeds for all of them.
      maxConcurrency: 200,
      // Test files share a process, and Node loads them without Vite: loading modules takes longer than many tests. Modules
      // of src keep no state but by database; a test that changes the process itself changes it back.
      isolate: false,
      experimental: { viteModuleRunner: false },
      provide: { isSoak },
      projects: [
        project("unit", "{test/{unit,deploy},packages/registry-generator/test}", [
          "packages/registry-generator/test/shared-registries.ts",
        ]),
        project(
          "service",
          "{test/{service,contract,clients,stories,recount,mutations},packages/{sdk,sdk-python}/test}",
          ["test/support/database/postgres.ts"],
        ),
      ],
    },
  };
});
