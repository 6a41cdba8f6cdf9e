// What every situation answers is tried by the contract's cases with a test key (test/contract/prism/test-key.test.ts).
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resumeAccount, suspendAccount } from "../../../src/accounts/account-life.ts";
import { newKey } from "../../../src/accounts/keys/key-format.ts";
import type { Context } from "../../../src/platform/context.ts";
import { markTestMode } from "../../../src/platform/installation/installation.ts";
import { secretsUnder } from "../../../src/platform/secrets.ts";
import { runTestMode } from "../../../src/testmode/running.ts";
import { createTestKey, listTestKeys, revokeTestKey } from "../../../src/testmode/test-keys.ts";
import { findTestMode } from "../../../src/testmode/test-mode.ts";
import { prepareSecrets } from "../../../src/webhooks/secrets/prepare-secrets.ts";
import { removalList } from "../../support/removals/opt-outs.ts";
import { TEST_SECRETS_KEY } from "../../support/secrets.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { until } from "../../support/webhooks/dispatching.ts";

let service: TestService;
let live: string;
let key: string;
let accountId: number;

const BROKERS = "/v1/feeds/us_brokers/records";
const under = (situation: string, path = BROKERS, by = key) =>
  service.get(path, by, { "X-Test-Situation": situation });

beforeAll(async () => {
  service = await startTestService({ hasTestMode: true });
  ({ accountId, key: live } = await service.createAccount({ feeds: { us_brokers: null } }));
  ({ key } = await createTestKey(service.context, accountId, "first"));
}, 120_000);
afterAll(() => service.stop());

describe("a situation", () => {
  it("is one of those that the guide lists", async () => {
    const answer = await under("rainy");
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("stale_data") });
    expect(answer.headers.get("X-RateLimit-Remaining")).not.toBeNull();
    expect((await under("rainy", BROKERS, "tdf_test_x")).status).toBe(401);
    const guide = await (await service.get("/docs/testing.md")).text();
    expect(guide).toContain("| `stale_data` |");
  });

  it("is nothing to a live key", async () => {
    // Nothing is published there.
    expect((await under("minute_used_up", BROKERS, live)).status).toBe(403);
    expect((await under("rainy", "/v1/usage", live)).status).toBe(200);
  });

  it("ends with its request", async () => {
    const refused = await under("no_rows");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("X-Quota-Limit")).toBe("0");
    const answered = await service.get(BROKERS, key);
    expect(answered.status).toBe(200);
    expect(answered.headers.get("X-Quota-Limit")).toBe("1000000");
  });

  it("has records and an event of brokers in Texas", async () => {
    const read = async (path: string) =>
      ((await (await under("brokers_in_texas", path)).json()) as { data: { state: string }[] }).data;
    const [records, events] = [await read(BROKERS), await read("/v1/events?since=2026-01-01T00:00:00Z")];
    expect(records.map(({ state }) => state)).toEqual(["TX"]);
    expect(events).toMatchObject([{ type: "reinstated", state: "TX" }]);
  });

  it("repeats its answers under another SECRETS_KEY", async () => {
    const test = (await findTestMode(service.context)) as Context;
    const headers = { "X-Test-Situation": "brokers_in_texas", "Idempotency-Key": "sealed" };
    const make = () =>
      service.send("POST", "/v1/webhooks", {
        key,
        headers,
        body: { url: "https://hooks.example.com/in", event_types: ["reinstated"] },
      });
    expect((await make()).status).toBe(201);
    const [before, now] = [Buffer.from(TEST_SECRETS_KEY, "base64"), randomBytes(32)];
    const use = async (...keys: [Buffer, Buffer]) => {
      await prepareSecrets({ ...test, secrets: secretsUnder(keys) });
      Object.assign(test, { secrets: secretsUnder(keys.slice(0, 1)) });
    };
    await use(now, before);
    const again = await make();
    await use(before, now);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  });

  it("is refused while the account is suspended", async () => {
    await suspendAccount(service.context, accountId, "unpaid");
    expect((await under("brokers_in_texas")).status).toBe(403);
    await resumeAccount(service.context, accountId);
    expect((await under("brokers_in_texas")).status).toBe(200);
  });

  it("leaves keys that were made in it to their account", async () => {
    const headers = { "X-Test-Situation": "brokers_in_texas" };
    const made = await service.send("POST", "/v1/keys", { key, headers, body: { name: "Elsewhere" } });
    const { id, key: other } = (await made.json()) as { id: string; key: string };
    const feeds = await (await service.get("/v1/feeds", other)).json();
    expect(feeds).toMatchObject({ data: [{ code: "us_brokers", regions: ["TX"] }] });
    expect((await listTestKeys(service.context, accountId)).map((each) => each.id)).toContain(id);
    await revokeTestKey(service.context, id, accountId);
    expect((await service.get("/v1/feeds", other)).status).toBe(401);
  });
});

it("a removal request with a test key removes nothing, of anybody", async () => {
  const seen = async () => (await service.get("/v1/carriers/90000001", key)).status;
  expect(await seen()).toBe(200);
  const removal = await service.send("POST", "/v1/opt-out", { key, body: { usdot: "90000001" } });
  expect(removal.status).toBe(202);
  expect(await seen()).toBe(200);
});

it("a removal request with a wrong or revoked test key is a live one, and counts as one of its client", async () => {
  const made = await createTestKey(service.context, accountId, "revoked");
  await revokeTestKey(service.context, made.prefix, accountId);
  const ask = (by: string, usdot: string) =>
    service.send("POST", "/v1/opt-out", { key: by, body: { usdot } });
  for (const [by, usdot] of [
    ["tdf_test_x", "4312901"],
    [made.key, "4312902"],
  ] as const) {
    const answer = await ask(by, usdot);
    expect([answer.status, answer.headers.get("X-Test-Mode")]).toEqual([202, null]);
  }
  expect((await removalList(service.context)).businesses).toEqual([4_312_901, 4_312_902]);
  const more = await Promise.all(Array.from({ length: 9 }, () => ask("tdf_test_x", "4312901")));
  expect(more.map(({ status }) => status).sort()).toEqual([...Array(8).fill(202), 429]);
});

it("a removal request with a test key uses up nothing of the key's minute, from wherever and however often", async () => {
  const test = (await findTestMode(service.context)) as Context;
  const body = { name: "Networks", allowed_networks: ["203.0.113.0/24"] };
  const made = await service.send("POST", "/v1/keys", { key, body });
  const own = (await made.json()) as { id: string; key: string };
  const minute = async () =>
    (await test.db.pool.query("SELECT used, elsewhere FROM key_minute WHERE key_id = $1", [own.id])).rows;
  const ask = () => service.send("POST", "/v1/opt-out", { key: own.key, body: { usdot: "90000001" } });
  for (let n = 0; n < 3; n++) {
    const answer = await ask();
    expect([answer.status, answer.headers.get("X-Test-Mode")]).toEqual([202, "true"]);
  }
  Object.assign(test.config, { optOutPerMinute: 3 });
  expect((await ask()).status).toBe(429);
  Object.assign(test.config, { optOutPerMinute: 60 });
  expect(await minute()).toEqual([]);
  // Any other method is refused as elsewhere, and counts once.
  expect((await service.get("/v1/opt-out", own.key)).status).toBe(403);
  expect(await minute()).toEqual([{ used: 0, elsewhere: 1 }]);
  const left = async (path: string) =>
    Number((await service.get(path, key)).headers.get("X-RateLimit-Remaining"));
  expect((await left("/v1/usage")) - (await left("/v1/opt-out"))).toBe(1);
});

it("a text that only looks like a test key needs no database of test mode, where no key is needed", async () => {
  const env = { TEST_MODE_DATABASE_URL: "postgres://nobody@127.0.0.1:9/none" };
  const away = await startTestService({ env });
  try {
    await markTestMode(away.context);
    const removal = await away.send("POST", "/v1/opt-out", { key: "tdf_test_x", body: { usdot: "4312903" } });
    expect(removal.status).toBe(202);
    expect((await removalList(away.context)).businesses).toEqual([4_312_903]);
    const { key: wellFormed } = newKey("test");
    for (const by of ["tdf_test_x", wellFormed]) {
      expect((await away.get("/no-such-page", by)).status).toBe(404);
      expect((await away.send("POST", "/docs", { key: by })).status).toBe(405);
      expect((await away.get("/v1/no-such-path", by)).status).toBe(404);
      expect((await away.send("POST", "/v1/usage", { key: by })).status).toBe(405);
    }
    // A real test key must not remove anything, so nothing is done before the key is known.
    const body = { usdot: "4312904" };
    expect((await away.send("POST", "/v1/opt-out", { key: wellFormed, body })).status).toBe(503);
  } finally {
    await away.stop();
  }
});

it("the clients of removal requests are forgotten, as in the live database", async () => {
  const test = (await findTestMode(service.context)) as Context;
  const clients = async () => (await test.db.pool.query("SELECT FROM removal_client")).rowCount;
  await service.send("POST", "/v1/opt-out", { key, body: { usdot: "90000001" } });
  expect(await clients()).toBe(1);
  service.clock.advance(10 * 60_000);
  const stop = runTestMode(service.context, null);
  await until(async () => (await clients()) === 0);
  await stop();
});

it.for([
  ["GET", "/mcp", 405],
  ["POST", "/docs", 405],
  ["GET", "/no-such-page", 404],
] as const)("%s %s with a test key says that it is test mode, and counts", async ([method, path, status]) => {
  const answer = await service.send(method, path, { key });
  expect([answer.status, answer.headers.get("X-Test-Mode"), answer.headers.get("X-RateLimit-Limit")]).toEqual(
    [status, "true", "600"],
  );
});

it("GET /mcp takes the key as a bearer token, as POST does", async () => {
  for (const path of ["/mcp", "/mcp/"]) {
    const answer = await service.get(path, undefined, { Authorization: `Bearer ${key}` });
    expect(answer.status).toBe(path === "/mcp" ? 405 : 404);
    expect([answer.headers.get("X-Test-Mode"), answer.headers.get("X-RateLimit-Limit")]).toEqual([
      "true",
      "600",
    ]);
  }
});
