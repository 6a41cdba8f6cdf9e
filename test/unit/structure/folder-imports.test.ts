// Folders of a module import each other in one direction, its own folder and type imports included. dependency-cruiser
// can't hold this: for it, a folder is part of its parent.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../../..");

const moduleOf = (folder: string): string => folder.split("/").slice(0, 2).join("/");

/** The folders of its own module that each folder imports. */
function importsOfFolders(files: ReadonlyMap<string, string>): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map<string, Set<string>>();
  for (const [file, text] of files) {
    const folder = path.dirname(file);
    const targets = ts
      .preProcessFile(text)
      .importedFiles.filter(({ fileName }) => fileName.startsWith("."))
      .map(({ fileName }) => path.dirname(path.join(folder, fileName)))
      .filter((target) => target !== folder && moduleOf(target) === moduleOf(folder));
    imports.set(folder, new Set([...(imports.get(folder) ?? []), ...targets]));
  }
  return imports;
}

/** The folders that lead back to themselves. */
function foldersInCircles(files: ReadonlyMap<string, string>): string[] {
  const imports = importsOfFolders(files);
  return [...imports.keys()].filter((folder) => {
    const reached = new Set<string>();
    const visit = (from: string): void => {
      for (const next of imports.get(from) ?? []) {
        if (reached.has(next)) continue;
        reached.add(next);
        visit(next);
      }
    };
    visit(folder);
    return reached.has(folder);
  });
}

it("folders of a module import each other in one direction", () => {
  const names = globSync("src/**/*.ts", { cwd: ROOT, exclude: (name) => name === "src/generated" });
  const files = new Map(names.map((name) => [name, readFileSync(path.join(ROOT, name), "utf8")]));
  expect(foldersInCircles(files)).toEqual([]);
});

it.each<[what: string, files: Record<string, string>, wrong: string[]]>([
  [
    "two folders that import each other",
    { "src/a/x/1.ts": 'import "../y/2.ts";', "src/a/y/3.ts": 'import "../x/4.ts";' },
    ["src/a/x", "src/a/y"],
  ],
  [
    "a module's own folder and one below",
    { "src/a/1.ts": 'import { b } from "./x/2.ts";', "src/a/x/2.ts": 'import type { C } from "../3.ts";' },
    ["src/a", "src/a/x"],
  ],
  [
    "a circle of three, in which a file is loaded late",
    {
      "src/a/x/1.ts": 'import "../y/1.ts";',
      "src/a/y/1.ts": 'export * from "../z/1.ts";',
      "src/a/z/1.ts": 'await import("../x/2.ts");',
    },
    ["src/a/x", "src/a/y", "src/a/z"],
  ],
  [
    "nothing in one direction",
    { "src/a/x/1.ts": 'import "../y/2.ts";', "src/a/y/2.ts": 'import "../../b/x/1.ts";' },
    [],
  ],
])("finds %s", (_what, files, wrong) => {
  expect(foldersInCircles(new Map(Object.entries(files)))).toEqual(wrong);
});
