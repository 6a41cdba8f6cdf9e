import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requestRemoval, undoRequest } from "../../../test/support/removals/requests.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { createClient, type FeedFilters } from "../src/index.ts";
import { AMPLE, customerOf, notingFetch, numbersFrom, publishBrokers } from "./brokers.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";

const FEED = "us_brokers";
const FIRST = 3_100_000;

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(path.join(tmpdir(), "tdf-sdk-sync-"));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const counts = ({ added, changed, removed, isWhole }: Record<string, unknown>) => ({
  added,
  changed,
  removed,
  isWhole,
});
const NOTHING = { added: 0, changed: 0, removed: 0, isWhole: false };

it("a copy is told once what was withdrawn and shown again", async () => {
  await publishBrokers(service, numbersFrom(FIRST, 5));
  const tdf = await customerOf(service);
  const into = path.join(folder, "once");
  const sync = async () => counts({ ...(await tdf.syncFeed(into, FEED)) });
  expect(await sync()).toEqual({ ...NOTHING, added: 5, isWhole: true });
  const request = await requestRemoval(service.context, { usdots: [FIRST] }, service.clock.now());
  expect(await sync()).toEqual({ ...NOTHING, removed: 1 });
  expect(await sync()).toEqual(NOTHING);
  await undoRequest(service.context, request, service.clock.now());
  expect(await sync()).toEqual({ ...NOTHING, added: 1 });
  expect(await sync()).toEqual(NOTHING);
});

// Pages of records cost their rows again each time that a reading begins anew.
it("a first reading that broke off costs nothing more when it begins again", async () => {
  await publishBrokers(service, numbersFrom(FIRST, 25));
  const { key } = await service.createAccount(AMPLE);
  const into = path.join(folder, "broken");
  const cutting = await startCuttingProxy(service.url, [3_000]);
  const broken = createClient({ apiKey: key, baseUrl: cutting.url, maxRetries: 0 });
  await expect(broken.syncFeed(into, FEED)).rejects.toMatchObject({ code: "connection_failed" });
  await cutting.close();
  const tdf = createClient({ apiKey: key, baseUrl: service.url });
  expect(await tdf.syncFeed(into, FEED)).toMatchObject({ rows: 25, isWhole: true });
  expect((await tdf.usage()).usage.quota_rows).toBe(25);
});

it("a key without the scope of exports reads pages", async () => {
  await publishBrokers(service, numbersFrom(FIRST, 25));
  const { key } = await service.createAccount({ ...AMPLE, scopes: ["feeds:read"] });
  const tdf = createClient({ apiKey: key, baseUrl: service.url });
  const into = path.join(folder, "pages");
  expect(await tdf.syncFeed(into, FEED, {}, { pageSize: 10 })).toMatchObject({ rows: 25, isWhole: true });
});

it("a cursor whose version has gone costs no reading of all records", async () => {
  await publishBrokers(service, numbersFrom(FIRST, 5));
  const noting = notingFetch();
  let changesLeft = 1;
  const fetching: typeof fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname.endsWith("/changes") && changesLeft-- <= 0) throw new TypeError("the connection broke");
    return noting.fetch(input, init);
  };
  const tdf = await customerOf(service, {}, { fetch: fetching, maxRetries: 0 });
  const into = path.join(folder, "cursor");
  await tdf.syncFeed(into, FEED);
  await publishBrokers(service, numbersFrom(FIRST + 3, 5));
  await expect(tdf.syncFeed(into, FEED, {}, { pageSize: 1 })).rejects.toThrow();
  await publishBrokers(service, numbersFrom(FIRST + 4, 5), "2026-11-21");
  service.clock.advance(25 * 3_600_000);
  changesLeft = 1_000;
  noting.asked.length = 0;
  const { rows, isWhole } = await tdf.syncFeed(into, FEED, {}, { pageSize: 2 });
  expect([rows, isWhole]).toEqual([5, false]);
  expect(noting.asked.filter((each) => /\/(records|export)/.test(each))).toEqual([]);
  const changes = noting.asked.filter((each) => each.includes("/changes"));
  expect(changes[0]).toContain("cursor=");
  expect(changes[1]).toMatch(/since_version=\d+/);
  expect(changes[1]).toMatch(/since_removals=\d+/);
});

// Copies of earlier releases have their filters in the order in which they were given.
it("the same filters in another order are the same copy, an older one's too", async () => {
  await publishBrokers(service, numbersFrom(FIRST, 5), "2026-11-22");
  const noting = notingFetch();
  const tdf = await customerOf(service, {}, { fetch: noting.fetch });
  const into = path.join(folder, "order");
  const one: FeedFilters<typeof FEED> = { state: ["TX", "CA"], entity_type: "broker" };
  const other: FeedFilters<typeof FEED> = { entity_type: "broker", state: ["CA", "TX"] };
  const { file, rows } = await tdf.syncFeed(into, FEED, one);
  const [head = "", ...records] = (await readFile(file, "utf8")).split("\n");
  const written = JSON.stringify({ ...JSON.parse(head), filters: other });
  for (const start of [head, JSON.stringify({ ...JSON.parse(head), filters: one }), written]) {
    await writeFile(file, [start, ...records].join("\n"));
    noting.asked.length = 0;
    for (const filters of [other, one]) {
      const done = await tdf.syncFeed(into, FEED, filters);
      expect([done.rows, done.isWhole]).toEqual([rows, false]);
    }
    expect(noting.asked.filter((each) => /\/(records|export)/.test(each))).toEqual([]);
  }
});

// A bare SyntaxError named no file.
it.each([
  ["cut", (text: string) => text.slice(0, -9), 4],
  ["without its first line", (text: string) => text.slice(text.indexOf("\n") + 1), 1],
])("a copy that is %s is refused by its file and line, and stays", async (what, damaged, line) => {
  await publishBrokers(service, numbersFrom(FIRST, 3), "2026-11-22");
  const tdf = await customerOf(service);
  const { file } = await tdf.syncFeed(path.join(folder, what), FEED);
  const text = damaged(await readFile(file, "utf8"));
  await writeFile(file, text);
  const words = `Line ${line} of ${file} is not as syncFeed writes it. Move the file away`;
  await expect(tdf.syncFeed(path.join(folder, what), FEED)).rejects.toThrow(words);
  expect(await readFile(file, "utf8")).toBe(text);
});

it("a filter may have any character: the next run reads the copy's first line", async () => {
  await publishBrokers(service, numbersFrom(FIRST, 5), "2026-11-22");
  const tdf = await customerOf(service);
  const into = path.join(folder, "separators");
  for (const isWhole of [true, false])
    expect(await tdf.syncFeed(into, FEED, { insurer: "a\u2028b\u2029" })).toMatchObject({ rows: 0, isWhole });
});

// Such a copy was read whole five times, or could not be brought up to date.
it.each([{ fields: ["company"] }, { since: "2026-11-20" }, { version: 1 }])(
  "%o is refused before anything is read",
  async (filters) => {
    const noting = notingFetch();
    const tdf = await customerOf(service, {}, { fetch: noting.fetch });
    const [name] = Object.keys(filters);
    const syncing = tdf.syncFeed(path.join(folder, "refused"), FEED, filters as object);
    await expect(syncing).rejects.toThrow(
      new TypeError(
        `syncFeed takes no ${name}. A copy has all columns of all records that match its filters in the newest version.`,
      ),
    );
    expect(noting.asked).toEqual([]);
  },
);
