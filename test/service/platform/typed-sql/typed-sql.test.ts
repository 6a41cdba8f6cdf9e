import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Catalog, readCatalog } from "../../../../scripts/typed-sql/catalog.ts";
import {
  describeStatement,
  requireParseTrees,
  tellParseTrees,
} from "../../../../scripts/typed-sql/describe.ts";
import { readHeader } from "../../../../scripts/typed-sql/header.ts";
import { lockFile, lockText } from "../../../../scripts/typed-sql/lock.ts";
import { neverNullColumns } from "../../../../scripts/typed-sql/never-null.ts";
import { statementTypes } from "../../../../scripts/typed-sql/statement-types.ts";
import { readSql } from "../../../../scripts/typed-sql/statements.ts";
import { typedStatements } from "../../../../scripts/typed-sql/typed-statements.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { STATEMENTS, TABLES } from "./statements.ts";

const root = path.join(import.meta.dirname, "../../../..");

let database: TestDatabase;
let client: pg.Client;
let catalog: Catalog;
let refusal: Error | null;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(TABLES);
  catalog = await readCatalog(client);
  await tellParseTrees(client);
  refusal = await requireParseTrees(client).then(
    () => null,
    (error: Error) => error,
  );
});

// TEST_DATABASE_URL may name an older server, which runs the statements but can't report their types.
beforeEach(({ skip }) => skip(refusal !== null, refusal?.message));

afterAll(async () => {
  await client.end();
  await database.drop();
});

it("the lock file has the types of the migrated database; else run npm run generate:sql", async () => {
  const sql = readSql(path.join(root, "src"));
  const text = lockText(root, sql, await typedStatements(database.url, sql));
  expect(await readFile(lockFile(root), "utf8")).toBe(text);
});

describe("a column is never null only if it can't be null", () => {
  it.each(STATEMENTS)("%s", async (sql, columns, values = []) => {
    const described = await describeStatement(client, sql);
    const nullable = { parameters: new Set<number>(), elements: new Set<number>() };
    const neverNull = neverNullColumns(described.query, { catalog, nullable });
    const names = described.columns.map(({ name }, index) => (neverNull[index] ? name : `${name}?`));
    expect(names.join(" ")).toBe(columns);
    await client.query("BEGIN");
    const { rows } = await client.query({ text: sql, values, rowMode: "array" });
    await client.query("ROLLBACK");
    const nulls = names.filter((_, index) => rows.some((row) => row[index] === null));
    expect(nulls.filter((name) => !name.endsWith("?"))).toEqual([]);
  });
});

describe("a header", () => {
  /** Types of a statement whose header is the lines of comment at its top. */
  const typesOf = (text: string, before: string[] = []) => {
    const lines = text.split("\n");
    const header = readHeader(lines.filter((line) => line.startsWith("--")));
    const body = lines.filter((line) => !line.startsWith("--")).join("\n");
    return statementTypes(client, catalog, { text: body, header }, before);
  };

  it("names parameters, and says which may be null", async () => {
    const { parameters } = await typesOf(
      "-- params: ids[?], least?\nSELECT FROM t WHERE id = ANY ($1::int[]) OR id > $2",
    );
    expect(parameters).toEqual([
      { name: "ids", type: "readonly (number | null)[]" },
      { name: "least", type: "number | null" },
    ]);
  });

  it("makes results of a nullable parameter nullable", async () => {
    const { columns } = await typesOf(
      "-- params: x?, items[?]\nSELECT $1::int AS x, y FROM unnest($2::int[]) y",
    );
    expect(columns.map(({ type }) => type)).toEqual(["number | null", "number | null"]);
  });

  it("overrides nullability that can't be derived, and narrows text and json", async () => {
    const { columns } = await typesOf(
      "-- never null: m\n-- typed: name Word from ./words.ts\n-- typed: doc { k: string }\nSELECT nullif(a, 0) AS m, name, doc FROM t",
    );
    expect(columns.map(({ type }) => type)).toEqual(["number", "Word", "{ k: string }"]);
  });

  it("may describe several statements, which take no parameters and return no rows", async () => {
    const types = await typesOf("CREATE TEMP TABLE x (); CREATE TEMP TABLE y ()");
    expect(types).toEqual({ parameters: [], columns: [] });
  });

  it("may read temporary tables, which other statements make", async () => {
    const before = [
      "CREATE TEMP TABLE x AS SELECT $1::int AS n",
      "CREATE TEMP TABLE y AS SELECT 1 AS m; ANALYZE y",
    ];
    const { columns } = await typesOf("-- reads: x, y\nSELECT n, m FROM x, y", before);
    expect(columns.map(({ type }) => type)).toEqual(["number | null", "number | null"]);
  });

  it.each([
    ["an unnecessary override", "-- never null: a\nSELECT a FROM t", /is never null: remove it/],
    ["an override of no column", "-- never null: x\nSELECT a FROM t", /does not return/],
    ["too few names", "SELECT $1::int AS x", /has 1 parameters, and its header names 0/],
    ["a number typed as something else", "-- typed: a Word\nSELECT a FROM t", /only text and json/],
    ["columns of one name", "SELECT a, a FROM t", /needs a name of its own/],
    ["a type without a TypeScript type", "SELECT now() - now() AS x", /interval has no TypeScript type/],
    ["a statement that the server refuses", "SELECT nothing FROM t", /"nothing" does not exist/],
    ["a column of a script", "-- never null: a\nSELECT 1 AS a; SELECT 2 AS a", /several statements/],
    ["a script that the server refuses", "SELECT 1; SELECT FROM nowhere", /"nowhere" does not exist/],
  ])("is refused with %s", async (_, text, complaint) => {
    await expect(typesOf(text)).rejects.toThrow(complaint);
  });
});
