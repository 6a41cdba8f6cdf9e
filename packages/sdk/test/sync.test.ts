import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requestRemoval, undoRequest } from "../../../test/support/removals/requests.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { customerOf, notingFetch, numbersFrom, publishBrokers } from "./brokers.ts";

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
  expect(noting.asked.filter((each) => each.includes("/records"))).toEqual([]);
  const changes = noting.asked.filter((each) => each.includes("/changes"));
  expect(changes[0]).toContain("cursor=");
  expect(changes[1]).toMatch(/since_version=\d+/);
  expect(changes[1]).toMatch(/since_removals=\d+/);
});
