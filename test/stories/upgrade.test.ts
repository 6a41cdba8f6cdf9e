// Databases as older commits of the program left them (scripts/old-databases.ts) are upgraded, and the next day is imported.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ImportOptions, importFolder } from "../../src/importer/import.ts";
import type { Context } from "../../src/platform/context.ts";
import { MIGRATIONS, migrate } from "../../src/platform/database/migrate.ts";
import { createLog } from "../../src/platform/log.ts";
import { DATASETS, isLegacy } from "../../src/registry/datasets.ts";
import { settableClock } from "../support/clock.ts";
import { openTestContext } from "../support/context.ts";
import { dump } from "../support/database/dump.ts";
import { createTestDatabase, onServer, type TestDatabase } from "../support/database.ts";
import { runTdf } from "../support/processes/command.ts";

const FIXTURES = path.join(import.meta.dirname, "../fixtures/old-databases");

interface OldDatabase {
  migration: string;
  versions: string[];
  rows: Record<string, string>;
  sequences: Record<string, string>;
}

let folder: string;
/** The files of the day after the last import. */
let dir: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-upgrade-"));
  dir = path.join(folder, "day-02");
  await mkdir(dir);
  const files = await fixture<Record<string, string>>("day-02");
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(dir, file), text);
});
afterAll(() => rm(folder, { recursive: true }));

const fixture = async <T>(name: string): Promise<T> =>
  JSON.parse(brotliDecompressSync(await readFile(path.join(FIXTURES, `${name}.json.br`))).toString()) as T;

const log = createLog("silent");

/** Makes the database of an old commit. */
async function load(database: TestDatabase, old: OldDatabase): Promise<void> {
  const migrations = path.join(folder, old.migration);
  for (const name of (await readdir(MIGRATIONS)).sort())
    if (name <= old.migration)
      await cp(path.join(MIGRATIONS, name), path.join(migrations, name), { recursive: true });
  await migrate(database.url, { folder: migrations, log });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    // The rows come in any order, and some tables are only added to.
    await client.query("SET session_replication_role = replica");
    for (const statement of old.versions) await client.query(statement);
    for (const [table, rows] of Object.entries(old.rows)) {
      await client.query(`DELETE FROM ${table}`);
      await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
        rows,
      ]);
    }
    for (const [name, value] of Object.entries(old.sequences))
      await client.query("SELECT setval($1::text::regclass, $2)", [name, value]);
  } finally {
    await client.end();
  }
}

describe.each(["9b28b09", "607be8a"])("a database of commit %s", (commit) => {
  let database: TestDatabase;
  let context: Context;

  beforeEach(async () => {
    database = await createTestDatabase({ isEmpty: true });
    await load(database, await fixture<OldDatabase>(commit));
    await migrate(database.url, { folder: MIGRATIONS, log });
    context = await openTestContext(database.url, settableClock("2026-11-23T12:00:00Z"));
  });
  afterEach(async () => {
    await context.db.close();
    await database.drop();
  });

  const options = (more: Partial<ImportOptions> = {}): ImportOptions => ({
    dir,
    asOf: "2026-11-23",
    // The days of before are of an older maker of registries, which gave the legacy registry other rows.
    accept: new Set(DATASETS.filter(isLegacy).map((dataset) => `frozen-changed:${dataset}`)),
    ...more,
  });

  it("has a first import that is previewed without a trace and passes, with steps of cause rules, and events of the registry alone", async () => {
    const before = await dump(context.db);
    const preview = await importFolder(context, options({ isPreview: true }));
    expect(preview.rebased?.feeds).toHaveLength(5);
    expect(await dump(context.db)).toEqual(before);
    const report = await importFolder(context, options());
    expect(report.rebased?.asOf).toBe("2026-11-22");
    expect(report.rebased?.feeds.map(({ feed }) => feed)).toEqual(report.feeds.map(({ feed }) => feed));
    const { pool } = context.db;
    const steps = await pool.query(
      "SELECT feed_code, array_agg(cause ORDER BY id) AS causes FROM (SELECT * FROM feed_step ORDER BY id DESC LIMIT 10) AS step GROUP BY 1",
    );
    expect(steps.rows.map(({ causes }) => causes)).toEqual(Array(5).fill(["rules", "registry"]));
    // What an event tells happened in the registry between the two imports.
    const events = await pool.query(
      "SELECT DISTINCT occurred_on::text AS day FROM event WHERE detected_at >= $1",
      [context.clock.now()],
    );
    for (const { day } of events.rows) expect(day >= "2026-11-22").toBe(true);
    const again = await importFolder(context, options());
    expect(again.rebased).toBeUndefined();
    expect(again.events).toEqual({});
    expect(again.feeds.every(({ isNew }) => !isNew)).toBe(true);
  });
});

it("is rehearsed on a copy by a command, which migrates it and tells what the first import would do", async () => {
  const copy = await createTestDatabase({ isEmpty: true });
  try {
    await load(copy, await fixture<OldDatabase>("607be8a"));
    const words = ["--database", copy.url, "--dir", dir, "--as-of", "2026-11-23"];
    const { status, out, err } = await runTdf({}, "upgrade", "rehearse", ...words);
    expect(out).toMatch(/^The copy was migrated in \d+(\.\d)? s\.\n/);
    expect(out).toMatch(/us_brokers: \d+ added, \d+ removed, \d+ changed/);
    // As above: the fixture's days have other rows of the frozen files.
    expect({ status, err }).toEqual({ status: 65, err: expect.stringMatching(/--accept frozen-changed:/) });
  } finally {
    await copy.drop();
  }
});

it("is never rehearsed on the live database, however its address is written", async () => {
  const live = await createTestDatabase({ isEmpty: true });
  try {
    const url = new URL(live.url);
    url.searchParams.set("connect_timeout", "9");
    const words = ["--database", live.url, "--dir", dir];
    expect(await runTdf({ DATABASE_URL: url.href }, "upgrade", "rehearse", ...words)).toMatchObject({
      status: 2,
      err: "--database is the database of DATABASE_URL: name a copy of it.\n",
    });
  } finally {
    await live.drop();
  }
});

it("is not rehearsed on a database that is no copy, which stays as it is", async () => {
  const other = await createTestDatabase({ isEmpty: true });
  try {
    const rehearse = () => runTdf({}, "upgrade", "rehearse", "--database", other.url, "--dir", dir);
    const refused = {
      status: 2,
      out: "",
      err: `The database of --database has no tables of this program: name a copy of its database, such as a restored backup. Nothing was changed.\n`,
    };
    expect(await rehearse()).toEqual(refused);
    await onServer(other.url, async (client) => {
      const { rows } = await client.query(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
      );
      expect(rows).toEqual([]);
      await client.query("CREATE TABLE invoice (id integer)");
    });
    expect(await rehearse()).toEqual(refused);
  } finally {
    await other.drop();
  }
});

it("leaves a copy as it is where its folder or day can't be", async () => {
  const copy = await createTestDatabase({ isEmpty: true });
  const client = new pg.Client({ connectionString: copy.url });
  await client.connect();
  try {
    const rehearse = (...words: string[]) =>
      runTdf({}, "upgrade", "rehearse", "--database", copy.url, ...words);
    expect(await rehearse("--dir", "")).toMatchObject({ status: 2, err: "--dir is empty: name a folder.\n" });
    expect((await rehearse("--dir", dir, "--as-of", "2026-11-31")).err).toMatch(/^--as-of is "2026-11-31"/);
    // The copy was migrated before, so the next rehearsal no longer measured that.
    expect((await rehearse("--dir", `${dir}-none`)).err).toMatch(/^There is no folder .*-none; name the one/);
    const { status, err } = await rehearse("--dir", import.meta.dirname);
    expect({ status, err }).toEqual({
      status: 65,
      err: expect.stringMatching(/^No registry file was found/),
    });
    const { rows } = await client.query(
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    );
    expect(rows).toEqual([]);
  } finally {
    await client.end();
    await copy.drop();
  }
});
