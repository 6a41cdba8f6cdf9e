import { defineConfig } from "vitest/config";

/** `--mode soak` runs the long forms (`*.soak.ts`) in the place of the tests. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === "soak" ? ["test/**/*.soak.ts"] : ["test/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts"],
    testTimeout: mode === "soak" ? 7_200_000 : 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
}));
