import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "../../../../src/platform/database/migrate.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { OperatorError } from "../../../../src/platform/operator-error.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { runTdf } from "../../../support/processes/command.ts";

const log = createLog("silent");
let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  [database, folder] = await Promise.all([
    createTestDatabase({ isEmpty: true }),
    mkdtemp(path.join(tmpdir(), "tdf-migrations-")),
  ]);
});

afterEach(async () => {
  await Promise.all([database.drop(), rm(folder, { recursive: true })]);
});

async function write(name: string, sql: string): Promise<void> {
  await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, name, "migration.sql"), sql);
}

const run = (lockTimeoutMs?: number) =>
  migrate(database.url, { folder, log, ...(lockTimeoutMs ? { lockTimeoutMs } : {}) });

async function rowsOf(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

test("applies files in the order of their names, each once", async () => {
  await write("2_second", "INSERT INTO seen VALUES (2);");
  await write("1_first", "CREATE TABLE seen (n int); INSERT INTO seen VALUES (1);");
  await writeFile(path.join(folder, "migration_lock.toml"), 'provider = "postgresql"\n');
  expect(await run()).toEqual(["1_first", "2_second"]);
  await write("3_third", "INSERT INTO seen VALUES (3);");
  expect(await run()).toEqual(["3_third"]);
  expect(await run()).toEqual([]);
  expect(await rowsOf("SELECT n FROM seen ORDER BY ctid")).toEqual([1, 2, 3]);
});

// Pointed at a wrong address, any command would make our tables among theirs, and a restore would delete all of them.
test("refuses a database with tables of another program, and leaves it as it was", async () => {
  await write("1_first", "CREATE TABLE seen (n int);");
  await rowsOf("CREATE TABLE theirs AS SELECT 1 AS id");
  await expect(run()).rejects.toThrow(
    /^The database \w+ holds tables of another program, such as "theirs"\./,
  );
  expect(await rowsOf("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([
    "theirs",
  ]);
  await rowsOf("DROP TABLE theirs");
  expect(await run()).toEqual(["1_first"]);
});

test("runs a file as a whole, with semicolons in functions, literals and comments", async () => {
  await write(
    "1_function",
    `-- one; two
    CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 'a;b'; END $$;
    DO $$ BEGIN PERFORM 1; PERFORM 2; END $$;`,
  );
  expect(await run()).toEqual(["1_function"]);
  expect(await rowsOf("SELECT f()")).toEqual(["a;b"]);
});

test("applies each file once when many processes migrate at the same time", async () => {
  await write("1_first", "CREATE TABLE seen (n int); SELECT pg_sleep(0.1);");
  await write("2_second", "INSERT INTO seen VALUES (1);");
  const applied = await Promise.all(Array.from({ length: 6 }, () => run()));
  expect(applied.flat().sort()).toEqual(["1_first", "2_second"]);
  expect(await rowsOf("SELECT count(*)::int FROM seen")).toEqual([1]);
});

test("reports when another process keeps migrating for too long", async () => {
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("SELECT pg_advisory_lock(72707369)");
  try {
    await expect(run(50)).rejects.toThrow(OperatorError);
    await expect(run(50)).rejects.toThrow(/Another process has been migrating/);
  } finally {
    await holder.end();
  }
});

test("leaves nothing of a file that fails half way, and applies it once it is repaired", async () => {
  await write("1_first", "CREATE TABLE kept (n int);");
  await write("2_broken", "CREATE TABLE half (n int); INSERT INTO nowhere VALUES (1);");
  const failure = run();
  await expect(failure).rejects.toThrow(OperatorError);
  await expect(failure).rejects.toThrow(/2_broken failed and was rolled back: relation "nowhere"/);
  expect(await rowsOf("SELECT to_regclass('kept') IS NOT NULL, to_regclass('half') IS NULL")).toEqual([
    true,
    true,
  ]);
  expect(await rowsOf("SELECT migration_name FROM _prisma_migrations")).toEqual(["1_first"]);
  await write("2_broken", "CREATE TABLE half (n int);");
  expect(await run()).toEqual(["2_broken"]);
});

test("leaves nothing of a file that can't be recorded as applied", async () => {
  await write(
    "1_broken",
    "CREATE TABLE half (n int); ALTER TABLE _prisma_migrations ADD CHECK (logs IS NOT NULL);",
  );
  await expect(run()).rejects.toThrow(/1_broken failed and was rolled back/);
  expect(await rowsOf("SELECT to_regclass('half') IS NULL")).toEqual([true]);
});

test("refuses a file that was edited after it was applied", async () => {
  await write("1_first", "CREATE TABLE seen (n int);");
  await run();
  await write("1_first", "CREATE TABLE seen (n bigint);");
  await write("2_second", "CREATE TABLE other (n int);");
  await expect(run()).rejects.toThrow(OperatorError);
  await expect(run()).rejects.toThrow(/1_first was edited after it was applied/);
  expect(await rowsOf("SELECT to_regclass('other') IS NULL")).toEqual([true]);
});

test("refuses a migration that is older than the newest applied one, through the command, and applies none", async () => {
  const copy = await createTestDatabase();
  const client = new pg.Client({ connectionString: copy.url });
  await client.connect();
  try {
    await client.query("DELETE FROM _prisma_migrations WHERE migration_name = '20261122000000_mail'");
    const { rows: applied } = await client.query("SELECT migration_name FROM _prisma_migrations ORDER BY 1");
    const newest = applied.at(-1).migration_name;
    const { status, out, err } = await runTdf({ DATABASE_URL: copy.url }, "migrate");
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toBe(
      `The migration 20261122000000_mail was not applied, but the newer ${newest} was; give its folder a later time than that.\n`,
    );
    const { rows } = await client.query("SELECT migration_name FROM _prisma_migrations ORDER BY 1");
    expect(rows).toEqual(applied);
  } finally {
    await client.end();
    await copy.drop();
  }
});

test("gives no two migrations the same time, except two that are in use", async () => {
  const names = await readdir(path.join(import.meta.dirname, "../../../../prisma/migrations"));
  const times = names.map((name) => name.slice(0, 14));
  expect(times.every((time) => /^\d{14}$/.test(time))).toBe(true);
  expect(times.filter((time, index) => times.indexOf(time) !== index)).toEqual(["20261122030000"]);
});

test("refuses a database that is newer than the program", async () => {
  await write("1_first", "SELECT 1;");
  await write("2_second", "SELECT 1;");
  await run();
  await rm(path.join(folder, "2_second"), { recursive: true });
  await expect(run()).rejects.toThrow(OperatorError);
  await expect(run()).rejects.toThrow(/newer than this program: it has the migration 2_second/);
});

test("refuses a database on which another tool left a migration unfinished", async () => {
  await write("1_first", "SELECT 1;");
  await run();
  await rowsOf("UPDATE _prisma_migrations SET finished_at = NULL");
  await expect(run()).rejects.toThrow(/1_first was begun by another tool and not finished/);
});

test("has nothing to do on a database made from the template", async () => {
  const copy = await createTestDatabase();
  try {
    await cp(path.join(import.meta.dirname, "../../../../prisma/migrations"), folder, { recursive: true });
    expect(await migrate(copy.url, { folder, log })).toEqual([]);
  } finally {
    await copy.drop();
  }
});
