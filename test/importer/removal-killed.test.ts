import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateRegistry } from "../../src/importer/generate/registry.ts";
import type { Context } from "../../src/platform/context.ts";
import { settableClock } from "../support/clock.ts";
import { openTestContext } from "../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { importInProcess, killImport } from "../support/import-processes.ts";
import { feedRecord, publishFeed } from "../support/published-feed.ts";
import { tablesWithoutVersion } from "../support/served-feeds.ts";

let folder: string;
let database: TestDatabase;
let context: Context;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-removal-"));
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-20T18:00:00Z"));
});

afterAll(async () => {
  await context.db.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Publishes a version at a time long before the import. */
const publish = (now: string): Promise<number> =>
  publishFeed(context.db, "us_brokers", {
    ...{ records: [feedRecord("us_brokers", {})], asOf: "2026-11-10", now: new Date(now) },
  });

async function untilSomeoneWaits(): Promise<void> {
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await context.db.pool.query(waiting)).rowCount === 0) await setImmediate();
}

// A version that is forgotten before its rows are removed would leave them on the disk for ever.
it("an importer killed while it removes old versions leaves them for the next one to remove", async () => {
  const [written] = await generateRegistry({
    ...{ outDir: folder, carriers: 300, seed: 1, firstDay: "2026-11-20", days: 1 },
  });
  if (!written) throw new Error("no day was generated");
  const day = { dir: written.dir, now: "2026-11-20T18:00:00Z" };
  const old = [await publish("2026-11-11T18:00:00Z"), await publish("2026-11-12T18:00:00Z")];
  await publish("2026-11-13T18:00:00Z");
  const tables = old.map((version) => `published.feed_${version}`).join(", ");

  await context.db.transaction(async (client) => {
    await client.query(`LOCK TABLE ${tables}`);
    const ending = await killImport(database.url, day, untilSomeoneWaits);
    expect(ending.wasKilled).toBe(true);
  });
  await importInProcess(database.url, day);

  expect(await tablesWithoutVersion(context)).toEqual([]);
  expect(await context.db.prisma.feedVersion.count({ where: { id: { in: old } } })).toBe(0);
});
