// DATABASE_READ_URL. The standby is a copy of the database that no longer follows it. Its rows are marked, so that an
// answer shows where they were read.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FeedCode } from "../../../../src/feeds/catalogue.ts";
import type { Database } from "../../../../src/platform/context.ts";
import { openDatabase } from "../../../../src/platform/database/db.ts";
import { instanceId } from "../../../../src/platform/installation/installation.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { copyTestDatabase, createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { feedRecord, publishFeed, rewriteRecords } from "../../../support/feeds/published-feed.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { type CuttableWay, cuttableWayTo } from "../../../support/network/tcp-proxy.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { changeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const BROKERS = "us_brokers";
const LAPSES = "us_insurance_lapse_alerts";
const NOW = new Date("2026-11-21T11:00:00Z");

let primary: TestDatabase;
let standby: TestDatabase;
let copy: pg.Client;
let way: CuttableWay;
let service: TestService;
let key: string;
const { log, lines } = memoryLog();

const publish = (db: Database, feed: FeedCode): Promise<number> =>
  publishFeed(db, feed, {
    records: [1001, 1002, 1003].map((usdot) =>
      feedRecord(feed, {
        company: "PRIMARY",
        dot_number: String(usdot),
        state: usdot === 1002 ? "CA" : "TX",
      }),
    ),
    asOf: "2026-11-20",
    now: NOW,
  });

beforeAll(async () => {
  primary = await createTestDatabase();
  const db = await openDatabase({ url: primary.url, log: createLog("silent") });
  const versions = [await publish(db, BROKERS), await publish(db, LAPSES)];
  await db.close();
  standby = await copyTestDatabase(primary);
  copy = new pg.Client({ connectionString: standby.url });
  await copy.connect();
  for (const id of versions) {
    await rewriteRecords(copy, id, "PRIMARY", "STANDBY");
  }
  // Another version with the same number, as after a restored backup.
  await changeRows(copy, "feed_version", { published_at: "2026-11-01T12:00:00Z" }, { feed_code: LAPSES });
  way = await cuttableWayTo(standby.url);
  way.cut();
  service = await startTestService({
    databaseUrl: primary.url,
    env: { DATABASE_READ_URL: way.url },
    log,
  });
  // Pages would come from files of their rows. Folders in their place leave it to the database.
  const folder = path.join(service.context.config.dataDir, "cache", await instanceId(service.context));
  for (const [index, feed] of [BROKERS, LAPSES].entries()) {
    await mkdir(path.join(folder, `${feed}_${versions[index]}_${NOW.getTime()}.ndjson`), { recursive: true });
  }
  ({ key } = await service.createAccount({
    requestsPerMinute: 10_000,
    rowsPerMonth: 100_000,
    feeds: { [BROKERS]: null, [LAPSES]: null },
  }));
});
afterAll(async () => {
  await service.stop();
  await way.close();
  await copy.end();
  await Promise.all([primary.drop(), standby.drop()]);
});

interface Answered {
  data: { company: string; dot_number: string }[];
}

let pageSize = 100;

/** The companies of a page that no other request asked for, since finished pages are cached. */
async function companiesOf(search = "", feed = BROKERS): Promise<string[]> {
  pageSize += 1;
  const answer = await service.get(`/v1/feeds/${feed}/records?page_size=${pageSize}${search}`, key);
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as Answered;
  return data.map(({ company }) => company);
}

const three = (company: string) => [company, company, company];
const said = (msg: string) => lines().filter((line) => line.msg === msg).length;

it("starts and answers without the standby, and uses it once it answers", async () => {
  expect(await companiesOf()).toEqual(three("PRIMARY"));
  expect((await service.get("/readyz")).status).toBe(200);
  way.mend();
  await expect.poll(() => companiesOf(), { timeout: 10_000 }).toEqual(three("STANDBY"));
  expect(said("The standby of DATABASE_READ_URL answers again.")).toBe(1);
});

it("reads pages, filtered pages, carriers and exports there", async () => {
  expect(await companiesOf()).toEqual(three("STANDBY"));
  expect(await companiesOf("&state=CA")).toEqual(["STANDBY"]);
  const recordsOf = async (sender: string) => {
    const carrier = await (await service.get("/v1/carriers/1001", sender)).json();
    return (carrier as { records: { record: { company: string } }[] }).records;
  };
  const { key: onlyBrokers } = await service.createAccount({ feeds: { [BROKERS]: null } });
  expect((await recordsOf(onlyBrokers)).map(({ record }) => record.company)).toEqual(["STANDBY"]);
  // The standby has no such version of the other feed, and a statement reads all feeds of a carrier.
  expect((await recordsOf(key)).map(({ record }) => record.company)).toEqual(["PRIMARY", "PRIMARY"]);
  const csv = await (await service.get(`/v1/feeds/${BROKERS}/export.csv`, key)).text();
  expect(csv.match(/PRIMARY|STANDBY/g)).toEqual(three("STANDBY"));
});

it("does not read a version there that was published at another time", async () => {
  expect(await companiesOf("", LAPSES)).toEqual(three("PRIMARY"));
});

it("shows no business that the primary has removed, in any answer", async () => {
  const { db } = service.context;
  await removeBusinesses(db, [1002]);
  expect(await companiesOf()).toEqual(["STANDBY", "STANDBY"]);
  expect(await companiesOf("&state=CA")).toEqual([]);
  expect((await service.get("/v1/carriers/1002", key)).status).toBe(404);
  const csv = await (await service.get(`/v1/feeds/${BROKERS}/export.csv`, key)).text();
  expect(csv).not.toContain("1002");
  await undoRemovals(db);
});

it("answers from the primary at once while the standby waits for a lock, or is down", async () => {
  expect(await companiesOf()).toEqual(three("STANDBY"));
  await copy.query("BEGIN; LOCK TABLE published.feed_1");
  expect(await companiesOf()).toEqual(three("PRIMARY"));
  await copy.query("ROLLBACK");
  await expect.poll(() => companiesOf(), { timeout: 10_000 }).toEqual(three("STANDBY"));
  way.cut();
  const answers = await Promise.all(Array.from({ length: 5 }, () => companiesOf()));
  expect(answers).toEqual(Array(5).fill(three("PRIMARY")));
  expect((await service.get("/readyz")).status).toBe(200);
  way.mend();
  await expect.poll(() => companiesOf(), { timeout: 10_000 }).toEqual(three("STANDBY"));
});

it("serves a version that the standby does not have yet from the primary", async () => {
  await publish(service.context.db, BROKERS);
  expect(await companiesOf()).toEqual(three("PRIMARY"));
  const csv = await (await service.get(`/v1/feeds/${BROKERS}/export.csv`, key)).text();
  expect(csv.match(/PRIMARY|STANDBY/g)).toEqual(three("PRIMARY"));
});

it("counts the reads there, and those that went to the primary instead by their reason", async () => {
  const text = await (await service.get("/metrics")).text();
  const outcomes = [...text.matchAll(/^tdf_standby_reads_total\{outcome="(\w+)"\} [1-9]/gm)].map(
    ([, each]) => each,
  );
  expect(new Set(outcomes)).toEqual(new Set(["read", "down", "lagging", "failed"]));
});
