import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { listRuns } from "../../../src/importer/runs.ts";
import type { Context } from "../../../src/platform/context.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase, untilLockWait } from "../../support/database.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { tablesWithoutVersion } from "../../support/feeds/served-feeds.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { type ImportDay, importInProcess, killImport } from "../../support/processes/import-processes.ts";

let folder: string;
let database: TestDatabase;
let context: Context;
let day: ImportDay;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-removal-"));
  database = await createTestDatabase();
  const now = "2026-11-20T18:00:00Z";
  context = await openTestContext(database.url, settableClock(now));
  const [written] = await generateRegistry({
    outDir: folder,
    carriers: 300,
    seed: 1,
    firstDay: "2026-11-20",
    days: 1,
  });
  if (!written) throw new Error("no day was generated");
  day = { dir: written.dir, now };
});

afterAll(async () => {
  await context.db.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Publishes a version at a time long before the import. */
const publish = (now: string): Promise<number> =>
  publishFeed(context.db, "us_brokers", {
    records: [feedRecord("us_brokers", {})],
    asOf: "2026-11-10",
    now: new Date(now),
  });

const storedAmong = async (versions: readonly number[]) =>
  (await context.db.pool.query("SELECT FROM feed_version WHERE id = ANY ($1)", [versions])).rowCount;

// Rows of a version that is no longer recorded would stay on the disk for ever.
it("an importer killed while it removes old versions leaves them for the next one to remove", async () => {
  const old = [await publish("2026-11-11T18:00:00Z"), await publish("2026-11-12T18:00:00Z")];
  await publish("2026-11-13T18:00:00Z");
  const tables = old.map((version) => `published.feed_${version}`).join(", ");

  await context.db.transaction(async (client) => {
    await client.query(`LOCK TABLE ${tables}`);
    const ending = await killImport(database.url, day, () => untilLockWait(context.db.pool));
    expect(ending.wasKilled).toBe(true);
  });
  await importInProcess(database.url, day);

  expect(await tablesWithoutVersion(context)).toEqual([]);
  expect(await storedAmong(old)).toBe(0);
});

it("an import that published does not fail if it cannot remove old versions, and the next one removes them", async () => {
  const old = await publish("2026-11-14T18:00:00Z");
  await publish("2026-11-15T18:00:00Z");
  const { log, lines } = memoryLog();
  const importDay = () => importFolder({ ...context, log }, { dir: day.dir, asOf: null, accept: new Set() });
  await context.db.pool.query(`CREATE VIEW in_the_way AS SELECT pos FROM published.feed_${old}`);

  // The version is of other rules, so the import applies its own to the registry first.
  const { rebased } = await importDay();
  expect(rebased?.feeds.some(({ feed, isNew }) => feed === "us_brokers" && isNew)).toBe(true);
  expect((await listRuns(context, 1))[0]).toMatchObject({ status: "published", refusal: null });
  expect(lines()).toMatchObject([{ level: "warn", msg: expect.stringContaining("could not be removed") }]);

  await context.db.pool.query("DROP VIEW in_the_way");
  await importDay();
  expect(await storedAmong([old])).toBe(0);
});
