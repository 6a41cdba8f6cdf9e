import { defineConfig } from "vitest/config";

/** The layers of tests, by folder. `unit` needs no database; the others share one PostgreSQL, see test/support. */
export default defineConfig(({ mode }) => {
  const isSoak = mode === "soak";
  const project = (name: string, folders: string, globalSetup: string[]) => ({
    extends: true as const,
    test: {
      name,
      // `--mode soak` runs the long forms (`*.soak.ts`) in the place of the tests.
      include: [`${folders}/**/*.${isSoak ? "soak" : "test"}.ts`],
      globalSetup,
    },
  });
  const POSTGRES = ["test/support/postgres.ts"];
  return {
    test: {
      testTimeout: isSoak ? 7_200_000 : 60_000,
      hookTimeout: 120_000,
      maxWorkers: 2,
      projects: [
        project("unit", "test/unit", []),
        project("service", "test/service", POSTGRES),
        project("contract", "test/contract", POSTGRES),
        project("stories", "test/{stories,recount,mutations}", POSTGRES),
        project("sdk", "packages/sdk/test", POSTGRES),
      ],
    },
  };
});
