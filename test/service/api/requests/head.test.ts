// HEAD has the headers of GET, costs nothing, and says what GET would cost.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { components } from "../../../../src/generated/types.ts";
import { putEvents, setDetection } from "../../../support/events/events.ts";
import { AMPLE, startServiceOfEveryFeed } from "../../../support/feeds/every-feed.ts";
import { AS_OF, recordsOf } from "../../../support/feeds/every-record.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import type { TestService } from "../../../support/service.ts";

const FEED = "us_new_authority_weekly";
const CHANGED = "us_brokers";

let service: TestService;
/** The version of CHANGED before its newest one, which has three other records. */
let previous: number;
beforeAll(async () => {
  service = await startServiceOfEveryFeed();
  await putEvents(service.context.db, [{ usdot: Number(dot()) }]);
  await setDetection(service.context.db, { finishedAt: "2026-11-21T06:00:00Z", asOf: AS_OF });
  const publish = (...usdots: string[]) =>
    publishFeed(service.context.db, CHANGED, {
      records: usdots.map((usdot) => feedRecord(CHANGED, { dot_number: usdot })),
      asOf: AS_OF,
      now: service.clock.now(),
    });
  previous = await publish("1");
  await publish("1", "2", "3", "4");
});
afterAll(() => service.stop());

const dot = (): string => String(recordsOf(FEED)[0]?.dot_number);

const READING = [
  () => "/v1/feeds",
  () => `/v1/feeds/${FEED}/records?page_size=10`,
  () => `/v1/feeds/${FEED}/export.csv`,
  () => `/v1/feeds/${FEED}/export.ndjson`,
  () => `/v1/feeds/${FEED}/export.parquet`,
  () => `/v1/carriers/${dot()}`,
  () => "/v1/usage",
  () => "/v1/events",
  () => "/v1/webhooks",
  () => "/v1/sources",
  () => `/v1/feeds/${FEED}/count?by=state`,
  () => `/v1/feeds/${FEED}/versions`,
  () => `/v1/feeds/${CHANGED}/changes?since_version=${previous}`,
];

async function usageOf(key: string): Promise<components["schemas"]["UsageOut"]["usage"]> {
  const answer = await service.get("/v1/usage", key);
  return ((await answer.json()) as components["schemas"]["UsageOut"]).usage;
}

/** Headers that differ from answer to answer, and those of fetch's connections. */
const PASSING = new Set([
  "date",
  "x-request-id",
  "x-ratelimit-remaining",
  // An export that was read costs nothing more; see below.
  "x-quota-cost",
  "transfer-encoding",
  "content-length",
  "connection",
  "keep-alive",
]);

const lasting = ({ headers }: Response): [string, string][] =>
  [...headers].filter(([name]) => !PASSING.has(name));

const rowsServed = async (): Promise<number> => {
  const { values } = await service.context.metrics.rowsServed.get();
  return values.reduce((sum, { value }) => sum + value, 0);
};

it.each(READING)("%s has the same answer as GET, and counts no rows", async (pathOf) => {
  const { key } = await service.createAccount(AMPLE);
  const got = await service.get(pathOf(), key);
  await got.arrayBuffer();
  const [before, served] = [await usageOf(key), await rowsServed()];
  const head = await service.send("HEAD", pathOf(), { key });
  expect([head.status, await head.text()]).toEqual([got.status, ""]);
  expect(lasting(head)).toEqual(lasting(got));
  const after = await usageOf(key);
  expect({ ...after, api_requests: 0 }).toEqual({ ...before, api_requests: 0 });
  expect(after.api_requests).toBe(before.api_requests + 2);
  expect(await rowsServed()).toBe(served);
});

const quotaOf = ({ headers }: Response) => ({
  left: Number(headers.get("x-quota-remaining")),
  cost: Number(headers.get("x-quota-cost")),
});

it("says what GET will cost, and leaves all rows", async () => {
  const { rowsPerMonth } = AMPLE;
  for (const [path, rows] of [
    [`/v1/feeds/${FEED}/records?page_size=10`, 10],
    [`/v1/feeds/${FEED}/records?page=1000`, 0],
    [`/v1/feeds/${FEED}/export.csv`, 210],
    [`/v1/feeds/${FEED}/export.csv?state=GU`, 42],
    [`/v1/feeds/${CHANGED}/changes?since_version=${previous}`, 3],
    [`/v1/feeds/${CHANGED}/count`, 0],
    ["/v1/events", 1],
  ] as const) {
    const { key } = await service.createAccount(AMPLE);
    const head = await service.send("HEAD", path, { key });
    expect([path, quotaOf(head)]).toEqual([path, { left: rowsPerMonth, cost: rows }]);
    const got = await service.get(path, key);
    await got.arrayBuffer();
    expect([path, quotaOf(got)]).toEqual([path, { left: rowsPerMonth - rows, cost: rows }]);
  }
});

it("of a page that was read before says the same cost, and of an export that was read says none", async () => {
  const { key } = await service.createAccount(AMPLE);
  const page = `/v1/feeds/${FEED}/records?page_size=10`;
  for (const path of [page, `/v1/feeds/${FEED}/export.csv`]) {
    for (let read = 0; read < 2; read++) await (await service.get(path, key)).arrayBuffer();
  }
  const left = AMPLE.rowsPerMonth - 20 - 210;
  expect(quotaOf(await service.send("HEAD", page, { key }))).toEqual({ left, cost: 10 });
  const file = await service.send("HEAD", `/v1/feeds/${FEED}/export.csv`, { key });
  expect(quotaOf(file)).toEqual({ left, cost: 0 });
});

it("is answered to an account that has no rows left", async () => {
  const { key } = await service.createAccount({ ...AMPLE, rowsPerMonth: 0 });
  for (const path of [`/v1/feeds/${FEED}/records`, `/v1/feeds/${FEED}/export.csv`, `/v1/carriers/${dot()}`]) {
    expect([path, (await service.get(path, key)).status]).toEqual([path, 429]);
    expect([path, (await service.send("HEAD", path, { key })).status]).toEqual([path, 200]);
  }
});

it("of one row too many uses the singular", async () => {
  const { key } = await service.createAccount({ ...AMPLE, rowsPerMonth: 1 });
  await service.get(`/v1/feeds/${FEED}/records?page_size=1`, key);
  const refused = await service.get(`/v1/feeds/${FEED}/records?page_size=1`, key);
  expect(await refused.json()).toMatchObject({
    detail: "This answer has 1 row, and 0 of the 1 row of your plan are left this month (UTC).",
  });
});
