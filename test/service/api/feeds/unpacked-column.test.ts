// A version whose packed columns are incomplete, as after a restore or a manual repair of the database.
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { feedRecord, publishFeed, rewriteRecords } from "../../../support/feeds/published-feed.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { changeRows, removeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const BROKERS = "us_brokers";
const { log, text: logText } = memoryLog();

let service: TestService;
let key: string;
let version: number;
beforeEach(async () => {
  service = await startTestService({ log });
  ({ key } = await service.createAccount({ feeds: { [BROKERS]: null }, requestsPerMinute: 1_000_000 }));
  const records = ["TX", "CA", "TX", null].map((state, index) =>
    feedRecord(BROKERS, { dot_number: String(1001 + index), state, has_cell: index % 2 === 0 }),
  );
  const now = service.clock.now();
  version = await publishFeed(service.context.db, BROKERS, { records, asOf: "2026-11-20", now });
});
afterEach(() => service.stop());

const query = (text: string) => service.context.db.pool.query(text);
const ask = (search: string) => service.get(`/v1/feeds/${BROKERS}/${search}`, key);

/** Repeats the request until the answer is not 503. */
async function answered(search: string): Promise<Response> {
  for (;;) {
    const answer = await ask(search);
    if (answer.status !== 503) return answer;
    await answer.arrayBuffer();
  }
}

/** Runs while nobody can repair the version. */
async function whileHeld(run: () => Promise<void>): Promise<void> {
  const hold = (client: pg.ClientBase) => client.query("SELECT FROM feed_version FOR UPDATE");
  await service.context.db.transaction(async (client) => {
    await hold(client);
    await run();
  });
}

const hasCell = { name: "has_cell" };
const damages: readonly [what: string, damage: (packed: Buffer) => Promise<void>][] = [
  ["is missing", () => removeRows(service.context.db.pool, "feed_version_column", hasCell)],
  [
    "is cut short",
    (packed) =>
      changeRows(service.context.db.pool, "feed_version_column", { packed: packed.subarray(4) }, hasCell),
  ],
];

describe.each(damages)("a filter whose column %s", (_, damage) => {
  it("is 503 for a moment, is packed again, and then finds the right rows", async () => {
    const good = await query("SELECT name, packed FROM feed_version_column ORDER BY name");
    await damage(good.rows.find(({ name }) => name === "has_cell")?.packed);
    await whileHeld(async () => {
      for (const search of [
        "records?has_cell=true",
        "records?state=TX&has_cell=true",
        `records?has_cell=true&version=${version}`,
        "export.csv?has_cell=true",
      ]) {
        const answer = await ask(search);
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
        expect(await answer.json()).toMatchObject({ code: "unavailable", title: "Temporarily unavailable" });
      }
      expect((await ask("records?state=TX")).status).toBe(200);
      expect((await ask("records")).status).toBe(200);
    });
    const answer = await answered("records?has_cell=true");
    const { data } = (await answer.json()) as { data: { dot_number: string }[] };
    expect(data.map((record) => record.dot_number)).toEqual(["1001", "1003"]);
    expect((await answered("export.csv?has_cell=false")).status).toBe(200);
    const mended = await query("SELECT name, packed FROM feed_version_column ORDER BY name");
    expect(mended.rows).toEqual(good.rows);
  });
});

it("a column that the version's table lacks is packed from its records", async () => {
  await removeRows(service.context.db.pool, "feed_version_column", hasCell);
  await query(`ALTER TABLE published.feed_${version} DROP has_cell`);
  const answer = await answered("records?has_cell=true");
  const { data } = (await answer.json()) as { data: { dot_number: string }[] };
  expect(data.map((record) => record.dot_number)).toEqual(["1001", "1003"]);
});

it("a column that can't be packed stays 503, and the log says why", async () => {
  await removeRows(service.context.db.pool, "feed_version_column", hasCell);
  await query(`ALTER TABLE published.feed_${version} DROP has_cell`);
  const { pool } = service.context.db;
  await rewriteRecords(pool, version, '"has_cell":true', '"has_cell":"maybe"');
  while (!logText().includes("The filter columns of a feed version could not be packed again.")) {
    expect((await ask("records?has_cell=true")).status).toBe(503);
  }
  expect((await ask("records?has_cell=true")).status).toBe(503);
  expect((await ask("records?state=TX")).status).toBe(200);
});

it("a version that no longer exists is still reported as such", async () => {
  const now = service.clock.now();
  const records = [feedRecord(BROKERS, {})];
  await publishFeed(service.context.db, BROKERS, { records, asOf: "2026-11-20", now });
  await removeRows(service.context.db.pool, "feed_version", { id: version });
  const answer = await ask(`records?has_cell=true&version=${version}`);
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: "invalid_filter" }]);
});
