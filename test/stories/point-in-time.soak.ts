// The steps of docs/operating/recovery.md, with an import by mistake in the place of the mistake.
import { appendFile, chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { importFolder } from "../../src/importer/import.ts";
import { MIGRATIONS, migrate } from "../../src/platform/database/migrate.ts";
import { type Cluster, openCluster } from "../../src/platform/embedded/cluster.ts";
import { createLog } from "../../src/platform/log.ts";
import { settableClock } from "../support/clock.ts";
import { baseBackup, type PostgresServer, serverOf } from "../support/database/postgres-servers.ts";
import { EVERYTHING, FEED_CODES } from "../support/feeds/served-feeds.ts";
import { freePort } from "../support/network/free-port.ts";
import { runTdf } from "../support/processes/command.ts";
import type { ImportDay } from "../support/processes/import-processes.ts";
import { generateDays } from "../support/registry/registry-days.ts";
import { TEST_SECRETS_KEY } from "../support/secrets.ts";
import { startTestService, type TestService } from "../support/service.ts";

const log = createLog("silent");
const ends: (() => unknown)[] = [];

let folder: string;
let cluster: Cluster;
let days: [ImportDay, ImportDay, ImportDay];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-recovery-"));
  await chmod(folder, 0o755);
  cluster = await openCluster(path.join(folder, "first"), log, false);
  days = (await generateDays(folder, { seed: 9, count: 3 })) as typeof days;
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await rm(folder, { recursive: true, force: true });
});

const archive = () => path.join(folder, "archive");

/** The primary, which archives its log. */
async function archivingServer(): Promise<PostgresServer> {
  await mkdir(archive());
  if (cluster.user) await chown(archive(), cluster.user.uid, cluster.user.gid);
  const server = serverOf(cluster, cluster.dataFolder, await freePort());
  ends.push(() => server.kill());
  await server.start();
  await server.run(
    "CREATE DATABASE tdf",
    "ALTER SYSTEM SET archive_mode = on",
    "ALTER SYSTEM SET archive_timeout = '60s'",
    `ALTER SYSTEM SET archive_command = 'test ! -f ${archive()}/%f && cp %p ${archive()}/%f'`,
  );
  await server.kill();
  await server.start();
  return server;
}

const serviceOn = async ({ url }: PostgresServer): Promise<TestService> =>
  startTestService({ databaseUrl: url, clock: settableClock(days[0].now) });

async function importDay(service: TestService, { dir, now }: ImportDay): Promise<void> {
  service.clock.set(now);
  await importFolder(service.context, { dir, asOf: null, accept: new Set() });
}

async function numbersOf(service: TestService, table: "event" | "feed_version"): Promise<number[]> {
  const { rows } = await service.context.db.pool.query<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`);
  return rows.map(({ id }) => Number(id));
}

const exportsOf = (service: TestService, key: string): Promise<string[]> =>
  Promise.all(
    FEED_CODES.map(async (feed) => (await service.get(`/v1/feeds/${feed}/export.csv`, key)).text()),
  );

interface EventsPage {
  data: { id: string }[];
  meta: { resume_cursor: string };
}

const eventsAfter = async (service: TestService, key: string, cursor: string): Promise<EventsPage> =>
  (
    await service.get(`/v1/events?limit=1000${cursor && `&cursor=${cursor}`}`, key)
  ).json() as Promise<EventsPage>;

/** Reads to the newest event; returns how many there were, and the cursor. */
async function readAll(service: TestService, key: string, from = "") {
  let [cursor, events] = [from, 0];
  for (;;) {
    const page = await eventsAfter(service, key, cursor);
    cursor = page.meta.resume_cursor;
    events += page.data.length;
    if (page.data.length === 0) return { cursor, events };
  }
}

/** The base backup, replayed to a time. It pauses there. */
async function recoveredServer(base: string, time: string): Promise<PostgresServer> {
  const server = serverOf(cluster, base, await freePort());
  ends.push(() => server.kill());
  await server.start();
  while ((await server.run("SELECT pg_get_wal_replay_pause_state() AS state"))[0]?.state !== "paused")
    await wait(100);
  const [row] = await server.run(`SELECT pg_last_xact_replay_timestamp() <= '${time}' AS held`);
  expect(row?.held).toBe(true);
  return server;
}

it("a database is recovered to the moment before a mistake, and gives no number again", async () => {
  const server = await archivingServer();
  await migrate(server.url, { folder: MIGRATIONS, log });
  const before = await serviceOn(server);
  await importDay(before, days[0]);
  const { key } = await before.createAccount(EVERYTHING);
  const base = path.join(folder, "copy", "data");
  await mkdir(path.dirname(base), { mode: 0o755 });
  await baseBackup(server, cluster, base, { "recovery.signal": "" });

  await importDay(before, days[1]);
  const feedsThen = await exportsOf(before, key);
  const versionsThen = await numbersOf(before, "feed_version");
  const [now] = await server.run("SELECT clock_timestamp()::text AS time");
  const time = String(now?.time);
  await importDay(before, days[2]);
  const lost = {
    feeds: await exportsOf(before, key),
    events: await numbersOf(before, "event"),
    versions: await numbersOf(before, "feed_version"),
    read: await readAll(before, key),
  };
  expect(lost.feeds).not.toEqual(feedsThen);
  await before.stop();
  const [{ file } = {}] = await server.run("SELECT pg_walfile_name(pg_switch_wal()) AS file");
  while (!(await server.run(`SELECT last_archived_wal >= '${file}' AS done FROM pg_stat_archiver`))[0]?.done)
    await wait(100);
  await server.kill();

  await appendSettings(base, time);
  const recovered = await recoveredServer(base, time);
  await recovered.run("SELECT pg_wal_replay_resume()");
  while ((await recovered.run("SELECT pg_is_in_recovery() AS still"))[0]?.still) await wait(100);
  const settings = { DATABASE_URL: recovered.url, SECRETS_KEY: TEST_SECRETS_KEY };
  expect(await runTdf(settings, "recovered")).toMatchObject({ err: "", status: 0 });

  const after = await serviceOn(recovered);
  ends.push(() => after.stop());
  after.clock.set(days[1].now);
  expect(await numbersOf(after, "feed_version")).toEqual(versionsThen);
  expect(await exportsOf(after, key)).toEqual(feedsThen);
  await importDay(after, days[2]);
  const isNew = (ids: number[], known: number[]) => ids.filter((id) => !known.includes(id));
  const newVersions = isNew(await numbersOf(after, "feed_version"), versionsThen);
  expect(newVersions.length).toBeGreaterThan(0);
  expect(Math.min(...newVersions)).toBeGreaterThan(Math.max(...lost.versions));
  expect(await exportsOf(after, key)).toEqual(lost.feeds);
  // The customer's cursor is from the lost time. Every event of the new import comes after it.
  const again = isNew(await numbersOf(after, "event"), lost.events);
  expect(again.length).toBeGreaterThan(0);
  expect((await readAll(after, key, lost.read.cursor)).events).toBe(again.length);
});

/** The settings of the page, for the copy. */
const appendSettings = (base: string, time: string): Promise<void> =>
  appendFile(
    path.join(base, "postgresql.auto.conf"),
    `archive_mode = off\nrestore_command = 'cp ${archive()}/%f %p'\nrecovery_target_time = '${time}'\nrecovery_target_action = pause\n`,
  );
