import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sqlOfPrismaSchema } from "../support/database/schema-engine.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let migrated: TestDatabase;
let declared: TestDatabase;

beforeAll(async () => {
  [migrated, declared] = await Promise.all([createTestDatabase(), createTestDatabase({ isEmpty: true })]);
});

afterAll(() => Promise.all([migrated.drop(), declared.drop()]));

it("has the tables, columns, keys and indexes in its migrations that prisma/schema declares", async () => {
  // Functions that a column's default calls: Prisma's schema language has none.
  const functions = await queryOn<{ text: string }>(
    migrated.url,
    `SELECT pg_get_functiondef(oid) AS text FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND pronargs = 0 AND prorettype = 'bigint'::regtype`,
  );
  const create = ["SET check_function_bodies = off", ...functions.map(({ text }) => text)].join(";");
  await queryOn(declared.url, `${create};${await sqlOfPrismaSchema(declared.url)}`);
  const [inMigrations, inSchema] = await Promise.all([catalogueOf(migrated.url), catalogueOf(declared.url)]);
  expect(inSchema.length).toBeGreaterThan(100);
  expect(inMigrations).toEqual(inSchema);
});

/** Every column, index and foreign key as text, without the migrator's own ledger. */
async function catalogueOf(url: string): Promise<string[]> {
  const rows = await queryOn<{ line: string }>(
    url,
    `SELECT format('column %s.%s %s null=%s default=%s', table_name, column_name, udt_name, is_nullable, column_default) AS line
     FROM information_schema.columns JOIN pg_tables ON schemaname = table_schema AND tablename = table_name
     WHERE table_schema = 'public'
     UNION ALL
     SELECT replace(indexdef, ' ON ONLY ', ' ON ') FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL
     SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
     WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace
     ORDER BY line`,
  );
  // Prisma's schema language has no partial, covering or expression indexes.
  return rows
    .map(({ line }) => line)
    .filter(
      (line) => !/_prisma_migrations|^CREATE (?:UNIQUE )?INDEX .*(?: WHERE | INCLUDE | \(\w+\()/.test(line),
    );
}

async function queryOn<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
