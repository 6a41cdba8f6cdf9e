// Tests write rows by the builders of test/support, which know the columns that a table requires: so a new column changes
// one builder, and no test.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ownersOf, readSchemaFiles } from "../tables/table-owners.ts";
import { OWN_STATEMENTS, writtenIn } from "./written-rows.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const tables = new Set(ownersOf(readSchemaFiles(ROOT)).tables.keys());
const files = globSync(["test/**/*.test.ts", "packages/*/test/**/*.test.ts"], {
  cwd: ROOT,
  exclude: (name) => name === "node_modules",
});

describe("the tests", () => {
  const writing = files.flatMap((file) =>
    writtenIn(readFileSync(path.join(ROOT, file), "utf8"), tables).map((statement) => ({ file, statement })),
  );

  it("write no rows by statements of their own, but for those with a reason", () => {
    expect(files.length).toBeGreaterThan(200);
    expect(writing.filter(({ file }) => OWN_STATEMENTS[file] === undefined)).toEqual([]);
  });

  it("need each of these reasons", () => {
    const inUse = new Set(writing.map(({ file }) => file));
    expect(Object.keys(OWN_STATEMENTS).filter((file) => !inUse.has(file))).toEqual([]);
  });
});

describe("a statement", () => {
  it.each([
    "INSERT INTO event (id) VALUES (1)",
    'DELETE FROM "event"',
    "TRUNCATE public.event",
    "UPDATE event\n  SET id = 1",
    "DELETE FROM staging.census",
    `UPDATE published.feed_${"$"}{version} SET csv = ''`,
    `INSERT INTO ${"$"}{table} VALUES (1)`,
  ])("that writes rows is found: %s", (statement) => {
    expect(writtenIn(`await pool.query("${statement}");`, new Set(["event"]))).toHaveLength(1);
  });

  it.each(["SELECT id FROM event FOR UPDATE", "INSERT INTO kept VALUES (1)", "update event"])(
    "that does not is left alone: %s",
    (statement) => {
      expect(writtenIn(`await pool.query("${statement}");`, new Set(["event"]))).toEqual([]);
    },
  );
});
