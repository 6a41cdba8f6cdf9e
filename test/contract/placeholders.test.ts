// The README once contained a placeholder instead of a figure. No such word may be in the source, the documents or the
// contract.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");

/** The files of the project, by their path in it, with their text. */
function filesOf(...patterns: string[]): [string, string][] {
  const exclude = [
    "node_modules/**",
    "**/generated/**",
    "**/dist/**",
    "test/fixtures/**",
    "**/node_modules/**",
  ];
  const names = globSync(patterns, { cwd: ROOT, exclude });
  return names.map((name) => [name, readFileSync(path.join(ROOT, name), "utf8")]);
}

const CODE = filesOf("{src,scripts,test,examples,packages}/**/*.{ts,mjs,js,py,sql,css}", "*.ts");
const PROSE = filesOf(
  "*.md",
  "docs/**/*.md",
  "{examples,packages}/**/*.md",
  "{src,prisma}/**/*.yaml",
  "openapi.yaml",
);
const SCHEMA = filesOf("prisma/**/*.{sql,prisma}", ".ci/*", "*.json");

// In parts, since this file is searched too.
const UNFINISHED = new RegExp(
  `\\b(${["TO" + "DO", "FIX" + "ME", "TB" + "D", "XX" + "X", "HA" + "CK"].join("|")})\\b`,
);
const FILLER = new RegExp(`lorem ${"ipsum"}`, "i");

/** `file:line: text` of every line that `isWrong`. */
const linesWhere = (files: readonly [string, string][], isWrong: (line: string) => boolean): string[] =>
  files.flatMap(([name, text]) =>
    text
      .split("\n")
      .flatMap((line, index) =>
        isWrong(line) ? [`${name}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
      ),
  );

describe("no placeholder is left", () => {
  it("no word for unfinished work", () => {
    const all = [...CODE, ...PROSE, ...SCHEMA.filter(([name]) => name !== "package-lock.json")];
    expect(all.length).toBeGreaterThan(500);
    expect(linesWhere(all, (line) => UNFINISHED.test(line) || FILLER.test(line))).toEqual([]);
  });

  it("no unknown name in capitals: each is a setting, a column or a variable of a shell example", () => {
    const code = CODE.map(([, text]) => text).join("\n");
    const known = new Set(code.match(NAMES));
    const shell = new Set(
      [...PROSE, ...filesOf("deploy/compose.yaml")].flatMap(
        ([, text]) => text.match(/(?<=\$\{?)[A-Z][A-Z0-9_]+/g) ?? [],
      ),
    );
    const isUnknown = (name: string) => !known.has(name) && !shell.has(name);
    expect(known).toContain("DATABASE_URL");
    expect(linesWhere(PROSE, (line) => (line.match(NAMES) ?? []).some(isUnknown))).toEqual([]);
  });
});

const NAMES = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
