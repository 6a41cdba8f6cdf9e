// Only the module that owns a table writes it. Only src/suppression and src/events name the tables that views hide.
import path from "node:path";
import { describe, expect, it } from "vitest";
import { COMPUTED_TABLES, refusalsOf } from "./refusals.ts";
import { readTexts, textsOf, writesOf } from "./statements.ts";
import { ownersOf, readSchemaFiles } from "./table-owners.ts";

const root = path.join(import.meta.dirname, "../../..");
const owners = ownersOf(readSchemaFiles(root));
const texts = readTexts(root);
const writes = writesOf(texts, owners);

describe("the statements of src", () => {
  it("write and name tables only as their owners allow", () => {
    expect(refusalsOf(texts, owners)).toEqual([]);
  });

  it("are all found: each table is written by name, unless its writer computes the name or is a trigger", () => {
    const written = new Set(writes.map(({ table }) => table));
    const unwritten = [...owners.tables.keys()].filter((table) => !written.has(table));
    const computed =
      /^(motus|legacy)_|^oos_order$|^(sign_in|removal)_client$|^(webhook_change|admission_state)$/;
    expect(unwritten.filter((table) => !computed.test(table))).toEqual([]);
  });

  it("that compute a table's name are declared, and no others", () => {
    const computed = writes.filter(
      ({ table }) => table.includes("<") && !/^(staging|published)\./.test(table),
    );
    expect(new Set(computed.map(({ file }) => file))).toEqual(new Set(Object.keys(COMPUTED_TABLES)));
  });
});

describe("a statement is refused that", () => {
  const refusalsFor = (file: string, content: string) => refusalsOf(textsOf(file, content), owners);

  it.each([
    ["reads the removal list's table", "SELECT FROM suppressed_business WHERE usdot = $1"],
    ["asks for blanked contacts", "SELECT 1 WHERE $1 IN (SELECT value FROM blanked_contact)"],
    ["reads requests for removal", 'SELECT count(*) FROM "removal_request"'],
  ])("%s outside src/suppression", (_what, sql) => {
    const expected = expect.stringMatching(/names \w+, which only src\/suppression does: read the views/);
    expect(refusalsFor("src/feeds/example.sql", sql)).toEqual([expected]);
    expect(refusalsFor("src/feeds/example.ts", `const rows = await client.query(\`${sql}\`);`)).toEqual([
      expected,
    ]);
    expect(refusalsFor("src/suppression/example.sql", sql)).toEqual([]);
    expect(refusalsFor("src/feeds/example.sql", `-- ${sql}`)).toEqual([]);
  });

  it.each([
    "SELECT id FROM event WHERE id > $1",
    "SELECT id FROM webhook_delivery JOIN event ON event.id = event_id",
  ])("reads events outside src/events past the view: %s", (sql) => {
    expect(refusalsFor("src/webhooks/example.sql", sql)).toEqual([
      "src/webhooks/example.sql names event, which only src/events does: " +
        "read the views visible_event and event_position",
    ]);
    expect(refusalsFor("src/events/example.sql", sql)).toEqual([]);
    expect(
      refusalsFor("src/webhooks/example.sql", sql.replace(/\b(FROM|JOIN) event\b/, "$1 visible_event")),
    ).toEqual([]);
  });

  it("reads either by the Prisma client", () => {
    const calls = "await db.prisma.suppressedBusiness.count(); await db.prisma.event.findMany({ take: 1 });";
    expect(refusalsFor("src/feeds/example.ts", calls)).toEqual([
      expect.stringContaining("names suppressedBusiness, which only src/suppression does"),
      expect.stringContaining("names event, which only src/events does"),
    ]);
  });

  it.each([
    "INSERT INTO plan (code) VALUES ($1)",
    "WITH gone AS (DELETE FROM plan RETURNING code) SELECT FROM gone",
    "UPDATE plan SET api_access = false",
    'UPDATE ONLY "plan" SET api_access = false',
    "INSERT INTO webhook_result SELECT 1; TRUNCATE webhook_result, plan",
    "COPY plan FROM STDIN",
    "MERGE INTO plan USING webhook_result ON true WHEN MATCHED THEN DELETE",
    "ALTER TABLE public.plan DISABLE TRIGGER ALL",
  ])("writes another module's table: %s", (sql) => {
    const [refusal, ...others] = refusalsFor("src/webhooks/example.sql", sql);
    expect(refusal).toMatch(/^src\/webhooks\/example\.sql writes (public\.)?plan of src\/accounts$/);
    expect(others).toEqual([]);
  });

  it("writes another module's table by the Prisma client", () => {
    const call = "await context.db.prisma.plan\n  .updateMany({ data: { apiAccess: false } });";
    expect(refusalsFor("src/webhooks/example.ts", call)).toEqual([
      "src/webhooks/example.ts writes plan of src/accounts",
    ]);
    expect(refusalsFor("src/accounts/example.ts", call)).toEqual([]);
  });

  it("writes a table of another module's schema", () => {
    expect(refusalsFor("src/registry/example.ts", `query(\`TRUNCATE staging.\${dataset}\`)`)).toEqual([
      "src/registry/example.ts writes staging.<dataset> of src/importer",
    ]);
  });

  it("writes a table that nobody owns, or one that is named at run time", () => {
    expect(refusalsFor("src/feeds/example.sql", "UPDATE feed_versions SET as_of = $1")).toEqual([
      "src/feeds/example.sql writes feed_versions, which prisma/schema does not have",
    ]);
    expect(refusalsFor("src/feeds/example.ts", `query(\`DELETE FROM \${table}\`)`)).toEqual([
      "src/feeds/example.ts writes the computed table <table>: declare why it may",
    ]);
  });

  it("is of a schema file that names no owner", () => {
    const schema = 'model Note {\n  id Int @id\n\n  @@map("note")\n}\n';
    expect(() => ownersOf(new Map([["notes.prisma", schema]]))).toThrow(/^notes\.prisma needs a line/);
    const owned = `/// Notes. Owner of this file's tables: src/accounts.\n${schema}`;
    expect(ownersOf(new Map([["notes.prisma", owned]])).tables).toEqual(new Map([["note", "src/accounts"]]));
  });
});

it("reads and row locks do not count as writes", () => {
  const sql = `SELECT FROM plan FOR NO KEY UPDATE; SELECT FROM plan FOR UPDATE OF plan SKIP LOCKED;
    CREATE TEMP TABLE found AS SELECT 1; INSERT INTO found SELECT 2;
    INSERT INTO webhook_result SELECT 1 ON CONFLICT DO UPDATE SET attempt = 1`;
  expect(writesOf(textsOf("src/webhooks/example.sql", sql), owners)).toEqual([
    { file: "src/webhooks/example.sql", table: "webhook_result" },
  ]);
});
