import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../../src/generated/types.ts";
import { settableClock } from "../../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { type ServiceProcesses, startServiceProcesses } from "../../support/processes/service-processes.ts";
import { startTestService, type TestService } from "../../support/service.ts";

type UsageOut = components["schemas"]["UsageOut"];

const NOW = "2026-11-21T12:00:05Z";

let database: TestDatabase;
let service: TestService;
let processes: ServiceProcesses;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({ databaseUrl: database.url, clock: settableClock(NOW) });
  const records = Array.from({ length: 20 }, (_, index) =>
    feedRecord("us_brokers", { dot_number: String(1000 + index) }),
  );
  await publishFeed(service.context.db, "us_brokers", { records, asOf: "2026-11-20", now: new Date(NOW) });
  processes = await startServiceProcesses(3, database.url, NOW);
});

afterAll(async () => {
  await processes.stop();
  await service.stop();
  await database.drop();
});

const PAGE = "/v1/feeds/us_brokers/records?page_size=5";

/** Sends all requests at once, in turn to each process, and counts the answers by status. */
async function statuses(
  count: number,
  path: string,
  keyOf: (index: number) => string,
): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const url = processes.urls[index % processes.urls.length];
      const answer = await fetch(url + path, { headers: { "X-API-Key": keyOf(index) } });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  return Object.fromEntries(
    Map.groupBy(answers, (status) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  );
}

describe("three processes over one database", () => {
  it("accept exactly 60 of 600 requests of one key in a minute, and refused ones cost nothing", async () => {
    const { key } = await service.createAccount({ requestsPerMinute: 60, feeds: { us_brokers: null } });
    expect(await statuses(600, PAGE, () => key)).toEqual({ 200: 60, 429: 540 });
    service.clock.advance(60_000);
    const usage = (await (await service.get("/v1/usage", key)).json()) as UsageOut;
    service.clock.set(NOW);
    expect(usage.usage).toMatchObject({ api_rows: 300, quota_rows: 300 });
  });

  it("deliver to two keys of one account exactly its quota, and refuse nothing before", async () => {
    const { accountId, key } = await service.createAccount({
      requestsPerMinute: 1000,
      rowsPerMonth: 500,
      feeds: { us_brokers: null },
    });
    const other = (await service.createKey(accountId)).key;
    const both = (index: number) => (index % 2 === 0 ? key : other);
    // 95 of 100 pages that fit: none may be refused while 5% is left.
    expect(await statuses(95, PAGE, both)).toEqual({ 200: 95 });
    expect(await statuses(200, PAGE, both)).toEqual({ 200: 5, 429: 195 });
    const usage = (await (await service.get("/v1/usage", key)).json()) as UsageOut;
    expect(usage).toMatchObject({ usage: { quota_rows: 500 }, limits: { api_rows_left: 0 } });
  });

  it("refuse a revoked key at once, everywhere", async () => {
    const { key, keyId } = await service.createAccount({
      requestsPerMinute: 1000,
      feeds: { us_brokers: null },
    });
    expect(await statuses(6, "/v1/feeds", () => key)).toEqual({ 200: 6 });
    await service.context.db.prisma.apiKey.update({
      where: { id: keyId },
      data: { revokedAt: new Date(NOW) },
    });
    expect(await statuses(6, "/v1/feeds", () => key)).toEqual({ 401: 6 });
  });
});
