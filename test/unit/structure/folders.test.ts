// A folder of more files than anyone looks through has two purposes, or a file for each step of one thought.
import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../../..");
const MOST_FILES = 20;
const MOST_LINES = 250;

/** Folders that may have more, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "src/api/handlers": "one file for each operation of the contract",
};

it("a folder of the program or its tests has at most 20 files", () => {
  const files = ["src", "scripts", "packages", "test"].flatMap((top) =>
    readdirSync(path.join(ROOT, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(ROOT, entry.parentPath).replaceAll(path.sep, "/"))
      .filter((folder) => !/(^|\/)(generated|dist|node_modules|fixtures|__pycache__)(\/|$)/.test(folder)),
  );
  const folders = [...Map.groupBy(files, (folder) => folder)].map(([folder, { length }]) => ({
    folder,
    length,
  }));
  const large = folders.filter(({ length }) => length > MOST_FILES);
  expect(large.filter(({ folder }) => !(folder in EXCEPTIONS))).toEqual([]);
  expect(Object.keys(EXCEPTIONS).filter((folder) => !large.some((each) => each.folder === folder))).toEqual(
    [],
  );
});

// The linter counts the lines of TypeScript.
it("a file of SQL, styles or Python has at most 250 lines", () => {
  const files = globSync(["src/**/*.{sql,css}", "test/**/*.sql", "packages/**/*.py"], {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(generated|fixtures|node_modules)$/.test(name),
  });
  expect(files).toContain("src/pages/frame/styles/elements.css");
  const linesOf = (file: string) => readFileSync(path.join(ROOT, file), "utf8").trimEnd().split("\n").length;
  expect(files.filter((file) => linesOf(file) > MOST_LINES)).toEqual([]);
});
