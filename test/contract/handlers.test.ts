// The compiler refuses wrong handlers and wrong uses of typed statements. Each file of refused/ begins with the
// expected error of the compiler. tsconfig leaves the folder out, so that only this test compiles it.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(import.meta.dirname, "refused");
const names = readdirSync(folder);
const GOOD = "good-statement.ts";

const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram(
  names.map((name) => path.join(folder, name)),
  options,
);

const complaintsAbout = (name: string): string[] =>
  ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path.join(folder, name)))
    .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));

const expectedOf = (name: string): string | undefined =>
  /^\/\/ refused: (.+)$/m.exec(readFileSync(path.join(folder, name), "utf8"))?.[1];

describe("the compiler", () => {
  it("takes a good one", () => {
    expect(complaintsAbout(GOOD)).toEqual([]);
  });

  it.each(names.filter((name) => name !== GOOD))("refuses %s", (name) => {
    const complaints = complaintsAbout(name);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(expectedOf(name) ?? "a first line with the reason of the refusal");
  });
});
