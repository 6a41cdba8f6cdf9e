// A folder of more files than anyone looks through has two purposes, or a file for each step of one thought.
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../../..");
const MOST_FILES = 20;

/** Folders that may have more, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "src/api/handlers": "one file for each operation of the contract",
};

it("a folder of the program has at most 20 files", () => {
  const files = ["src", "scripts", "packages"].flatMap((top) =>
    readdirSync(path.join(ROOT, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(ROOT, entry.parentPath).replaceAll(path.sep, "/"))
      .filter((folder) => !/(^|\/)(generated|dist|node_modules)(\/|$)/.test(folder)),
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
