// What every situation answers is tried by the contract's cases with a test key (test/contract/prism/test-key.test.ts).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resumeAccount, suspendAccount } from "../../../src/accounts/account-life.ts";
import { createTestKey, listTestKeys, revokeTestKey } from "../../../src/testmode/test-keys.ts";
import { startTestService, type TestService } from "../../support/service.ts";

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
