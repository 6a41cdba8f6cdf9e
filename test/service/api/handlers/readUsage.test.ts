import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setPlan } from "../../../../src/accounts/accounts.ts";
import { revokeKey } from "../../../../src/accounts/keys/keys.ts";
import type { components } from "../../../../src/generated/types.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

type Usage = components["schemas"]["UsageOut"];

const BROKERS = "us_brokers";
const PAGE = `/v1/feeds/${BROKERS}/records`;
const EXPORT = `/v1/feeds/${BROKERS}/export.csv`;
const PLAN = { feeds: { [BROKERS]: null }, requestsPerMinute: 1_000, rowsPerMonth: 100 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await publish("2026-11-20");
});
afterAll(() => service.stop());

const publish = (asOf: string): Promise<number> =>
  publishFeed(service.context.db, BROKERS, {
    records: Array.from({ length: 20 }, (_, index) => feedRecord(BROKERS, { dot_number: String(index + 1) })),
    asOf,
    now: service.clock.now(),
  });

const status = async (path: string, key: string, headers: Record<string, string> = {}): Promise<number> => {
  const answer = await service.get(path, key, headers);
  await answer.arrayBuffer();
  return answer.status;
};

async function usageOf(key: string): Promise<Usage> {
  const answer = await service.get("/v1/usage", key);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Usage;
}

const usedBy = (keyId: string, name: string, used: object) => ({
  key_id: keyId,
  prefix: `tdf_live_${keyId}`,
  name,
  requests: 0,
  errors: 0,
  refused: 0,
  api_rows: 0,
  export_rows: 0,
  ...used,
});

describe("usage", () => {
  it("of a new account has only this request, with the plan's limits", async () => {
    const { key, keyId } = await service.createAccount({
      ...PLAN,
      requestsPerMinute: 17,
      rowsPerMonth: 250_000,
    });
    expect(await usageOf(key)).toEqual({
      month_start: "2026-11-01",
      usage: { api_requests: 1, api_rows: 0, export_rows: 0, quota_rows: 0 },
      limits: {
        api_rows_month: 250_000,
        api_rpm: 17,
        api_rows_left: 250_000,
        concurrent_exports: 5,
        watched_carriers: 1000,
      },
      forecast: null,
      by_key: [usedBy(keyId, "test", { requests: 1 })],
    });
  });

  it("tells the use of each key, most rows first, and no secret", async () => {
    const { accountId, key, keyId } = await service.createAccount({ ...PLAN, requestsPerMinute: 3 });
    const { key: other, id: otherId } = await service.createKey(accountId);
    const { key: stranger } = await service.createAccount(PLAN);
    await status(`${PAGE}?page_size=7`, key);
    await status("/v1/carriers/999", key);
    await status(PAGE, key);
    await status(PAGE, key);
    await status(EXPORT, other);
    await status(`${PAGE}?page_size=5&page=2`, other);
    await status("/v1/nowhere", other);
    await status(EXPORT, stranger);
    await revokeKey(service.context, keyId);
    service.clock.advance(60_000);
    const read = await usageOf(other);
    expect(read.by_key).toEqual([
      usedBy(keyId, "test", { requests: 3, errors: 1, refused: 1, api_rows: 27 }),
      usedBy(otherId, "another", { requests: 3, refused: 1, api_rows: 5, export_rows: 20 }),
    ]);
    for (const secret of [key, other]) expect(JSON.stringify(read)).not.toContain(secret.slice(18, 30));
  });

  it("forecasts the month from its last full days, and the day on which the rows are used up", async () => {
    const { accountId, key } = await service.createAccount({ ...PLAN, rowsPerMonth: 1_000 });
    const small = await service.createAccount({ ...PLAN, rowsPerMonth: 150 });
    for (const day of ["2026-11-18", "2026-11-19", "2026-11-20"]) {
      service.clock.set(`${day}T12:00:00Z`);
      expect((await usageOf(key)).forecast).toBeNull();
      expect(await status(PAGE, key)).toBe(200);
    }
    service.clock.set("2026-11-21T12:00:00Z");
    const forecast = { rows: 3 * 20 + 10 * 20, until: "2026-11-30", averaged_days: 3, used_up_on: null };
    expect((await usageOf(key)).forecast).toEqual(forecast);
    await setPlan(service.context, accountId, small.planCode);
    expect((await usageOf(key)).forecast).toEqual({ ...forecast, used_up_on: "2026-11-25" });
  });

  it("counts rows of JSON and CSV separately and together, over all keys of the account only", async () => {
    const { accountId, key } = await service.createAccount(PLAN);
    const { key: other } = await service.createKey(accountId);
    const { key: stranger } = await service.createAccount(PLAN);
    await status(`${PAGE}?page_size=7`, key);
    await status(`${PAGE}?page_size=5&page=2`, other);
    await status(EXPORT, other);
    await status("/v1/carriers/1", key);
    await status(EXPORT, stranger);
    for (const sender of [key, other]) {
      expect(await usageOf(sender)).toMatchObject({
        usage: { api_rows: 13, export_rows: 20, quota_rows: 33 },
        limits: { api_rows_month: 100, api_rows_left: 67 },
      });
    }
    expect(await usageOf(stranger)).toMatchObject({
      usage: { api_requests: 2, api_rows: 0, export_rows: 20, quota_rows: 20 },
    });
  });

  it("counts every request that passed key and rate limit, whatever its answer", async () => {
    const { key } = await service.createAccount({ ...PLAN, requestsPerMinute: 11, rowsPerMonth: 20 });
    const tag = (await service.get(PAGE, key)).headers.get("etag") ?? "";
    const answers: [path: string, status: number, headers?: Record<string, string>][] = [
      [PAGE, 304, { "If-None-Match": tag }],
      ["/v1/feeds", 200],
      [`${PAGE}?page=0`, 422],
      [`${PAGE}?state=ZZ`, 400],
      ["/v1/feeds/us_unicorns/records", 403],
      ["/v1/carriers/999", 404],
      [`${PAGE}?page_size=1`, 429],
      [EXPORT, 429],
      [PAGE, 304, { "If-None-Match": "*" }],
    ];
    for (const [path, expected, headers] of answers) {
      expect([path, await status(path, key, headers)]).toEqual([path, expected]);
    }
    expect(await usageOf(key)).toMatchObject({
      usage: { api_requests: 11, api_rows: 20, quota_rows: 20 },
      limits: { api_rows_left: 0 },
    });
    // The minute is above its limit now: a request refused for that, or for its key, is not counted.
    expect(await status("/v1/usage", key)).toBe(429);
    expect(await status("/v1/usage", `${key}x`)).toBe(401);
    service.clock.advance(60_000);
    expect((await usageOf(key)).usage.api_requests).toBe(12);
  });

  it("counts no request to paths and methods that do not exist", async () => {
    const { key } = await service.createAccount(PLAN);
    expect(await status("/v1/nowhere", key)).toBe(404);
    await fetch(`${service.url}/v1/usage`, { method: "POST", headers: { "X-API-Key": key } });
    expect((await usageOf(key)).usage.api_requests).toBe(1);
  });

  it("follows the plan, and shows no negative remainder when the new one is smaller", async () => {
    const { accountId, key } = await service.createAccount(PLAN);
    await status(PAGE, key);
    const { planCode } = await service.createAccount({ ...PLAN, requestsPerMinute: 5, rowsPerMonth: 15 });
    await service.context.db.prisma.account.update({ where: { id: accountId }, data: { planCode } });
    expect(await usageOf(key)).toMatchObject({
      usage: { quota_rows: 20 },
      limits: { api_rows_month: 15, api_rpm: 5, api_rows_left: 0 },
    });
    expect(await status(`${PAGE}?page_size=1`, key)).toBe(429);
  });

  it.each(["month=2026-10", "=", "__proto__=1"])(
    "refuses the query %s, since it has no parameters",
    async (query) => {
      const { key } = await service.createAccount(PLAN);
      const answer = await service.get(`/v1/usage?${query}`, key);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ detail: [{ loc: ["query", query.split("=")[0]] }] });
    },
  );
});

// Moves the clock, so it comes last.
it("starts again with the month (UTC), and so does the quota", async () => {
  service.clock.set("2026-11-30T23:59:59.999Z");
  await publish("2026-11-30");
  const { key } = await service.createAccount({ ...PLAN, rowsPerMonth: 20 });
  expect(await status(PAGE, key)).toBe(200);
  const refused = await service.get(`${PAGE}?page_size=1`, key);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await usageOf(key)).toMatchObject({
    month_start: "2026-11-01",
    usage: { api_requests: 3, api_rows: 20, quota_rows: 20 },
    limits: { api_rows_left: 0 },
  });
  service.clock.advance(1);
  expect(await usageOf(key)).toMatchObject({
    month_start: "2026-12-01",
    usage: { api_requests: 1, api_rows: 0, quota_rows: 0 },
    limits: { api_rows_left: 20 },
    by_key: [{ requests: 1, api_rows: 0 }],
  });
  expect(await status(EXPORT, key)).toBe(200);
  expect((await usageOf(key)).usage).toMatchObject({ api_rows: 0, export_rows: 20, quota_rows: 20 });
  service.clock.set("2026-11-30T23:59:00Z");
  expect((await usageOf(key)).usage).toMatchObject({ api_rows: 20, export_rows: 0, quota_rows: 20 });
});
