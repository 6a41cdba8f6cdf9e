// How .sql files are read: names, kinds, parts, temporary tables, and which statements the lock file does not know.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dueIn, lockText, readLock } from "../../../scripts/typed-sql/lock.ts";
import { sqlModules } from "../../../scripts/typed-sql/modules.ts";
import { makersFor, readSql, type Sql, type Statement } from "../../../scripts/typed-sql/statements.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "tdf-sql-files-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Reads .sql files with these texts, by their paths below src. */
function sqlOf(files: Readonly<Record<string, string>>): Sql {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(root, "src", path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, "src", name), text);
  }
  return readSql(path.join(root, "src"));
}

const statementOf = (sql: Sql, at: string): Statement => {
  const found = sql.statements.get(at);
  if (!found) throw new Error(`${at} was not read.`);
  return found;
};

describe("a queries.sql", () => {
  it("holds statements by name, with comments for the reader and header lines", () => {
    const sql = sqlOf({
      "a/queries.sql":
        "-- name: first :one?\n-- What it does.\n-- params: id, code?\n-- plan: once\nSELECT 1;\n\n-- name: second :exec\nDELETE FROM t;\n",
    });
    expect([...sql.statements.keys()]).toEqual(["a/first", "a/second"]);
    expect(statementOf(sql, "a/first")).toMatchObject({
      kind: "one?",
      text: "SELECT 1",
      header: { description: "What it does.", isPlannedOnce: true },
    });
  });

  it("shares its folder's names with the long statements of the folder sql", () => {
    const files = {
      "a/queries.sql": "-- name: x :exec\nSELECT;\n",
      "a/sql/y.sql": "-- name: y :exec\nSELECT;\n",
    };
    expect([...sqlOf(files).statements.keys()]).toEqual(["a/x", "a/y"]);
    expect(() => sqlOf({ ...files, "a/sql/y.sql": "-- name: x :exec\nSELECT;\n" })).toThrow(/two of a\/x/);
  });

  it("includes parts of its own and of other folders", () => {
    const sql = sqlOf({
      "a/queries.sql": "-- part: open\nclosed_at IS NULL\n",
      "b/queries.sql": "-- name: list :many\nSELECT id FROM t WHERE\n-- include: ../a/open\nORDER BY id;\n",
    });
    expect(statementOf(sql, "b/list").text).toBe("SELECT id FROM t WHERE\nclosed_at IS NULL\nORDER BY id");
  });

  it.each([
    ["without a name", "SELECT 1;\n", /must begin with/],
    ["of an unknown kind", "-- name: x :some\nSELECT 1;\n", /":some" is not a kind/],
    ["that includes nothing known", "-- name: x :exec\n-- include: gone\n", /there is no such part/],
    ["with an unknown plan", "-- name: x :exec\n-- plan: twice\nSELECT 1;\n", /write "plan: once"/],
    [
      "with a parameter that is no name",
      "-- name: x :exec\n-- params: A-b\nSELECT 1;\n",
      /is not a parameter/,
    ],
    ["with too long a name", `-- name: ${"x".repeat(70)} :exec\nSELECT 1;\n`, /longer than 63 bytes/],
  ])("is refused with a statement %s", (_, text, complaint) => {
    expect(() => sqlOf({ "a/queries.sql": text })).toThrow(complaint);
  });
});

describe("a temporary table", () => {
  const FILES = {
    "a/queries.sql":
      "-- name: makeX :exec\n-- makes: x\nCREATE TEMP TABLE x AS SELECT 1 AS n;\n\n-- name: makeY :exec\n-- makes: y\n-- reads: x\nCREATE TEMP TABLE y AS SELECT n FROM x;\n",
    "b/queries.sql": "-- name: read :many\n-- reads: y\nSELECT n FROM y;\n",
  };

  it("is made, with those it needs itself, before a statement that reads it", () => {
    const sql = sqlOf(FILES);
    expect([...makersFor(sql, statementOf(sql, "b/read"))].map(({ name }) => name)).toEqual([
      "makeX",
      "makeY",
    ]);
  });

  it("has exactly one statement that makes it", () => {
    const unmade = sqlOf({ "b/queries.sql": FILES["b/queries.sql"] });
    expect(() => makersFor(unmade, statementOf(unmade, "b/read"))).toThrow(
      /reads y, which no statement makes/,
    );
    const twice = sqlOf({ ...FILES, "c/queries.sql": "-- name: other :exec\n-- makes: y\nSELECT;\n" });
    expect(() => makersFor(twice, statementOf(twice, "b/read"))).toThrow(/a\/makeY and c\/other makes/);
  });
});

describe("the lock file", () => {
  const LIST = "-- name: list :many\n-- params: id\nSELECT n FROM t WHERE id = $1;\n";
  const TYPES = new Map([
    [
      "a/list",
      { parameters: [{ name: "id", type: "number" }], columns: [{ name: "n", type: "number | null" }] },
    ],
  ]);

  it("gives the generated modules their types", () => {
    const sql = sqlOf({ "a/queries.sql": LIST });
    const module = sqlModules(sql, readLock(lockText(root, sql, TYPES))).get("a.ts");
    expect(module).toContain("export interface ListParams { id: number }");
    expect(module).toContain("export interface ListRow { n: number | null }");
    expect(module).toContain("export const list = many<ListParams, ListRow>({");
  });

  it("is due when a statement, a table that it reads or a migration changes, and for nothing else", () => {
    const lock = readLock(lockText(root, sqlOf({ "a/queries.sql": LIST }), TYPES));
    expect(dueIn(root, sqlOf({ "a/queries.sql": LIST }), lock)).toEqual([]);
    const commented = LIST.replace("-- params", "-- A comment.\n-- params");
    expect(dueIn(root, sqlOf({ "a/queries.sql": commented }), lock)).toEqual([]);
    expect(dueIn(root, sqlOf({ "a/queries.sql": LIST.replace("SELECT n", "SELECT m") }), lock)).toEqual([
      "a/list",
    ]);
    expect(dueIn(root, sqlOf({ "a/queries.sql": "" }), lock)).toEqual(["a/list"]);
    mkdirSync(path.join(root, "prisma/migrations/1_x"), { recursive: true });
    writeFileSync(path.join(root, "prisma/migrations/1_x/migration.sql"), "SELECT 1");
    expect(dueIn(root, sqlOf({ "a/queries.sql": LIST }), lock)).toEqual(["the migrations"]);
  });
});
