// The end of a key, the end of an old secret's grace and the networks of a key hold for every request from the same
// moment, also for one that is answered again without the pipeline, and on every process.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FULL_GRANT } from "../../../../src/accounts/keys/grant.ts";
import { rotateKey } from "../../../../src/accounts/keys/managed-keys.ts";
import { usageByDay } from "../../../../src/accounts/usage/usage.ts";
import { writeCounts } from "../../../../src/accounts/usage/usage-counter.ts";
import { type SettableClock, settableClock } from "../../../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { connectMcp } from "../../../support/mcp.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const NOW = "2026-11-21T12:00:15.000Z";
const PAGE = "/v1/feeds/us_brokers/records?page_size=1";
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let clock: SettableClock;
/** Three services on one database, with one clock. */
let services: TestService[];
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase();
  clock = settableClock(NOW);
  const options = { databaseUrl: database.url, clock, env: { TRUST_PROXY_HOPS: "1" } };
  service = await startTestService(options);
  services = [service, await startTestService(options), await startTestService(options)];
  const records = [feedRecord("us_brokers", { dot_number: "1000" })];
  await publishFeed(service.context.db, "us_brokers", { records, asOf: "2026-11-20", now: clock.now() });
});
afterAll(async () => {
  for (const each of services) await each.stop();
  await database.drop();
});
beforeEach(() => clock.set(NOW));

const PLAN = { feeds: { us_brokers: null }, requestsPerMinute: 10_000 };

/** The status and code of a request to each service, twice: the second one may be answered again. */
async function answersTo(key: string, headers: Record<string, string> = {}, path = PAGE): Promise<string[]> {
  const answers: string[] = [];
  for (const each of [...services, ...services]) {
    const answer = await each.get(path, key, headers);
    const { code } = (await answer.json()) as { code?: string };
    answers.push(code ?? String(answer.status));
    if (answer.status === 401) expect(answer.headers.get("WWW-Authenticate")).toMatch(/^ApiKey /);
  }
  return answers;
}

const all = (answer: string): string[] => Array(6).fill(answer);

const rowsOf = async (accountId: number): Promise<number> => {
  const month = await service.context.db.prisma.usageMonth.findFirst({ where: { accountId } });
  return Number(month?.quotaRows ?? 0);
};

describe("a key with an end", () => {
  it("works until then and not from then on, on every process", async () => {
    const { accountId } = await service.createAccount(PLAN);
    const { key } = await service.createKey(accountId, {
      expiresAt: new Date(clock.now().getTime() + HOUR_MS),
    });
    expect(await answersTo(key)).toEqual(all("200"));
    clock.advance(HOUR_MS - 1);
    expect(await answersTo(key)).toEqual(all("200"));
    const rows = await rowsOf(accountId);
    clock.advance(1);
    expect(await answersTo(key)).toEqual(all("expired_api_key"));
    expect(await rowsOf(accountId)).toBe(rows);
  });

  it("says when it ends in its last 14 days", async () => {
    const { accountId } = await service.createAccount(PLAN);
    const expiresAt = new Date("2026-12-10T00:00:00Z");
    const { key } = await service.createKey(accountId, { expiresAt });
    const header = async (path = PAGE) => (await service.get(path, key)).headers.get("X-Key-Expires");
    clock.set("2026-11-25T23:59:59.999Z");
    expect(await header("/v1/usage")).toBe(null);
    clock.set("2026-11-26T00:00:00Z");
    expect(await header("/v1/usage")).toBe("2026-12-10T00:00:00.000Z");
    clock.set("2026-11-21T12:00:00Z");
    const soon = await service.createKey(accountId, { expiresAt: new Date("2026-11-22T00:00:00Z") });
    for (const path of [PAGE, PAGE, "/v1/feeds/none/records", "/v1/nothing"]) {
      const answer = await service.get(path, soon.key);
      expect(answer.headers.get("X-Key-Expires")).toBe("2026-11-22T00:00:00.000Z");
    }
  });
});

describe("a rotated key", () => {
  const rotated = async (graceSeconds?: number) => {
    const { accountId, key: old, keyId } = await service.createAccount(PLAN);
    expect(await answersTo(old)).toEqual(all("200"));
    const asked = graceSeconds === undefined ? {} : { grace_seconds: graceSeconds };
    const { key } = await rotateKey(service.context, { accountId, grant: FULL_GRANT }, keyId, asked);
    return { accountId, keyId, old, key };
  };

  it("has its old secret for 24 hours, to the millisecond, on every process", async () => {
    const { accountId, old, key } = await rotated();
    expect(await answersTo(old)).toEqual(all("200"));
    expect(await answersTo(key)).toEqual(all("200"));
    clock.advance(24 * HOUR_MS - 1);
    expect(await answersTo(old)).toEqual(all("200"));
    const rows = await rowsOf(accountId);
    clock.advance(1);
    expect(await answersTo(old)).toEqual(all("expired_api_key"));
    expect(await rowsOf(accountId)).toBe(rows);
    expect(await answersTo(key)).toEqual(all("200"));
  });

  it("ends its old secret at once without a grace", async () => {
    const { old, key } = await rotated(0);
    expect(await answersTo(old)).toEqual(all("expired_api_key"));
    expect(await answersTo(key)).toEqual(all("200"));
  });

  it("ends the grace of the rotation before, and knows no older secret", async () => {
    const { accountId, keyId, old, key } = await rotated(7200);
    const { key: newest } = await rotateKey(service.context, { accountId, grant: FULL_GRANT }, keyId, {});
    expect(await answersTo(old)).toEqual(all("invalid_api_key"));
    expect(await answersTo(key)).toEqual(all("200"));
    expect(await answersTo(newest)).toEqual(all("200"));
  });

  it("tells the end of the grace to the old secret alone", async () => {
    const { old, key } = await rotated(3600);
    const header = async (sent: string) =>
      (await service.get("/v1/usage", sent)).headers.get("X-Key-Expires");
    expect(await header(old)).toBe("2026-11-21T13:00:15.000Z");
    expect(await header(key)).toBe(null);
  });

  it("counts both secrets in one minute, exactly, also when they arrive together", async () => {
    const { accountId, key: old, keyId } = await service.createAccount({ ...PLAN, requestsPerMinute: 20 });
    const { key } = await rotateKey(service.context, { accountId, grant: FULL_GRANT }, keyId, {});
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const each = services[index % 3] as TestService;
        return each.get("/v1/feeds", index % 2 === 0 ? old : key);
      }),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(20);
    const left = accepted.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("charges both secrets that ask again together", async () => {
    const { accountId, old, key } = await rotated();
    await answersTo(key);
    const before = await rowsOf(accountId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => service.get(PAGE, index % 2 === 0 ? old : key)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await rowsOf(accountId)).toBe(before + 20);
  });

  it("is still revoked at once with both secrets", async () => {
    const { keyId, old, key } = await rotated();
    await service.context.db.prisma.apiKey.update({ where: { id: keyId }, data: { revokedAt: clock.now() } });
    for (const secret of [old, key]) expect(await answersTo(secret)).toEqual(all("revoked_api_key"));
  });
});

describe("a key with networks", () => {
  const from = (address: string) => ({ "X-Forwarded-For": address });

  it("works from them alone, also for a page that it was answered before, which costs nothing elsewhere", async () => {
    const { accountId } = await service.createAccount(PLAN);
    const networks = ["203.0.113.0/24", "2001:db8::/32"];
    const { key } = await service.createKey(accountId, { networks });
    for (const address of ["203.0.113.7", "::ffff:203.0.113.255", "2001:db8:1::1"])
      expect(await answersTo(key, from(address))).toEqual(all("200"));
    const rows = await rowsOf(accountId);
    expect(rows).toBe(18);
    for (const address of ["203.0.114.1", "2001:db9::1", "127.0.0.1", "unknown"])
      expect(await answersTo(key, from(address))).toEqual(all("network_not_allowed"));
    // The entry that a client writes itself does not count.
    expect(await answersTo(key, from("203.0.113.7, 198.51.100.1"))).toEqual(all("network_not_allowed"));
    expect(await rowsOf(accountId)).toBe(rows);
  });

  it("is refused elsewhere for a page that was answered without charge, and at /mcp", async () => {
    const { accountId } = await service.createAccount(PLAN);
    const { key } = await service.createKey(accountId, { networks: ["203.0.113.0/24"] });
    expect(await answersTo(key, from("198.51.100.1"), "/v1/feeds")).toEqual(all("network_not_allowed"));
    expect(await answersTo(key, from("198.51.100.1"), "/v1/nothing")).toEqual(all("network_not_allowed"));
    const connect = (address: string) => connectMcp(service, { "X-API-Key": key, ...from(address) });
    await expect(connect("198.51.100.1")).rejects.toThrow(/network_not_allowed|403/);
    const { call, client } = await connect("203.0.113.1");
    expect((await call("list_feeds")).isError).toBe(false);
    await client.close();
  });

  it("counts requests from elsewhere apart, with the same limit, and those of its own networks as ever", async () => {
    const { accountId } = await service.createAccount({ ...PLAN, requestsPerMinute: 6 });
    const { key } = await service.createKey(accountId, { networks: ["203.0.113.0/24"] });
    const stranger = from("198.51.100.1");
    // From elsewhere first, when no process has read the key, then together with its own, by either way to a page.
    expect(await answersTo(key, stranger)).toEqual(all("network_not_allowed"));
    expect(await answersTo(key, stranger)).toEqual(all("rate_limited"));
    const refused = await service.get("/v1/nothing", key, stranger);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await service.send("POST", "/mcp", { key, body: {}, headers: stranger })).status).toBe(429);
    const own = Array.from({ length: 5 }, (_, at) => {
      const each = services[at % 3] as TestService;
      return Promise.all([each.get(PAGE, key, from("203.0.113.7")), each.get(PAGE, key, stranger)]);
    });
    for (const [mine, strangers] of await Promise.all(own))
      expect([mine.status, strangers.status]).toEqual([200, 429]);
    expect((await service.get(PAGE, key, from("203.0.113.7"))).headers.get("x-ratelimit-remaining")).toBe(
      "0",
    );
    expect((await service.get(PAGE, key, from("203.0.113.7"))).status).toBe(429);
    clock.advance(60_000);
    expect(await answersTo(key, from("203.0.113.7"))).toEqual(all("200"));
    expect(await answersTo(key, stranger)).toEqual(all("network_not_allowed"));
    for (const each of services) await writeCounts(each.context);
    const [used] = await usageByDay(service.context, accountId, 1);
    expect(used).toMatchObject({ requests: 12, refused: 6 + 6 + 2 + 5 + 1 + 6 });
  });
});
