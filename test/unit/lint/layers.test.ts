// A test outside the folders of vitest.config.ts would never run.
import { glob } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const TESTS = path.join(import.meta.dirname, "../..");
const LAYERS = ["unit", "service", "contract", "stories", "recount", "mutations"];

it("every test file is in a folder that Vitest runs", async () => {
  const exclude = (name: string) => path.basename(name) === "node_modules";
  const files = await Array.fromAsync(glob("**/*.{test,soak}.ts", { cwd: TESTS, exclude }));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !LAYERS.includes(file.split(path.sep)[0] ?? ""))).toEqual([]);
});
