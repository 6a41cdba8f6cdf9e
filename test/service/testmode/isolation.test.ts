import { describe, expect, it } from "vitest";
import { resumeAccount, suspendAccount } from "../../../src/accounts/account-life.ts";
import { runTestMode } from "../../../src/testmode/running.ts";
import { createTestKey, listTestKeys, revokeTestKey } from "../../../src/testmode/test-keys.ts";
import { closeAccount } from "../../../src/webhooks/endpoints/pause-or-delete.ts";
import { callerOf, openAccount } from "../../support/accounts.ts";
import { changeRows, putRows } from "../../support/rows.ts";
import { startTestDispatcher, until } from "../../support/webhooks/dispatching.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import {
  accountId,
  FIXTURE,
  foreign,
  get,
  idOf,
  key,
  live,
  make,
  READS,
  SEEDED,
  send,
  service,
  test,
  useBothModes,
} from "./both-modes.ts";

useBothModes();

describe("live and test mode", () => {
  it.for(READS)("never meet in %s", async (path) => {
    const [fromLive, fromTest] = [await get(path, live), await get(path, key)];
    expect(fromLive.text).not.toMatch(FIXTURE);
    expect(fromTest.text).not.toMatch(SEEDED);
    expect([fromLive.headers.get("X-Test-Mode"), fromTest.headers.get("X-Test-Mode")]).toEqual([
      null,
      "true",
    ]);
    // Version 1 is one of another feed.
    expect(path.includes("since_version") ? [200, 410] : [200]).toContain(fromTest.status);
  });

  it.for(["", "/timeline", "/connections"])("never meet in a carrier's%s", async (end) => {
    const { dot } = service.facts;
    expect((await get(`/v1/carriers/${dot}${end}`, live)).status).toBe(200);
    expect((await get(`/v1/carriers/${dot}${end}`, key)).status).toBe(404);
    expect((await get(`/v1/carriers/90000001${end}`, key)).status).toBe(200);
    expect((await get(`/v1/carriers/90000001${end}`, live)).status).toBe(404);
    const asked = { usdots: [dot, "90000001"] };
    const both = (by: string) => send("POST", "/v1/carriers/lookup", { key: by, body: asked });
    expect((await both(live)).text).not.toContain("ALDER CREEK");
    expect((await both(key)).text).not.toMatch(/"company":"(?!ALDER CREEK)/);
  });

  it("charge nothing to each other", async () => {
    const used = async () =>
      (JSON.parse((await get("/v1/usage", live)).text) as { usage: { quota_rows: number } }).usage.quota_rows;
    const before = await used();
    await get("/v1/feeds/us_brokers/records", key);
    expect(await used()).toBe(before);
    const { by_key } = JSON.parse((await get("/v1/usage", key)).text) as { by_key: { prefix: string }[] };
    expect(by_key.map(({ prefix }) => prefix)).toContain(key.slice(0, "tdf_test_12345678".length));
  });

  it("keep their endpoints and lists apart", async () => {
    const list = idOf(await send("POST", "/v1/watchlists", { key, body: { name: "Only in test mode" } }));
    await send("POST", `/v1/watchlists/${list}/carriers`, { key, body: { usdots: ["90000020"] } });
    const changes = await get(`/v1/carrier-changes?watchlist=${list}&since=2026-01-01T00:00:00Z`, key);
    expect(changes.text).toContain("2185550188");
    expect((await get("/v1/watchlists", live)).text).not.toContain("Only in test mode");
    expect((await get("/v1/watchlists", foreign)).text).not.toContain("Only in test mode");
  });

  it("know only their own keys", async () => {
    const swapped = (one: string, mode: string) => one.replace(/^tdf_\w+?_/, `tdf_${mode}_`);
    expect((await get("/v1/feeds", swapped(key, "live"))).status).toBe(401);
    expect((await get("/v1/feeds", swapped(live, "test"))).status).toBe(401);
    const prefixOf = (one: string) => one.slice(0, "tdf_test_12345678".length);
    const listed = (await listTestKeys(service.context, accountId)).map(({ prefix }) => prefix);
    expect(listed.sort()).toEqual([service.keys.tester, key].map(prefixOf).sort());
  });
});

describe("a test event", () => {
  it("is read by its account alone", async () => {
    const made = await make(key);
    expect(made.status).toBe(201);
    const id = idOf(made);
    expect((await get("/v1/events", key)).text).toContain(`"id":${id},`);
    expect((await get(`/v1/events/${id}`, key)).status).toBe(200);
    for (const path of ["/v1/events", "/v1/events?usdot=90000004", "/v1/carriers/90000004"])
      expect((await get(path, foreign)).text).not.toContain(`"id":${id},`);
    expect((await get(`/v1/events/${id}`, foreign)).status).toBe(404);
    expect((await get("/v1/carriers/90000004", key)).text).toContain(`"id":${id},`);
  });

  it("needs a test key and a company that is there", async () => {
    expect(await make(live)).toMatchObject({
      status: 403,
      text: expect.stringContaining("test_key_required"),
    });
    for (const usdot of ["7", "90000014", service.facts.dot])
      expect((await make(key, { type: "reinstated", usdot })).status).toBe(404);
  });

  it("is made once for an idempotency key", async () => {
    const once = () =>
      send("POST", "/v1/test/events", {
        key,
        body: { type: "authority_inactive", usdot: "90000013" },
        headers: { "Idempotency-Key": "one" },
      });
    const [first, second] = [await once(), await once()];
    expect(first.status).toBe(201);
    expect(idOf(second)).toBe(idOf(first));
  });

  it("reaches the test endpoints of its account alone", async () => {
    const receiver = await startReceiver();
    const dispatchers = [startTestDispatcher(test), startTestDispatcher(service.context)];
    try {
      const register = async (by: string, end: string) => {
        const url = `${receiver.url}/${end}`;
        const body = { url: "https://hooks.example.com/in", event_types: ["revocation_pending"] };
        const made = await send("POST", "/v1/webhooks", { key: by, body });
        const db = by === live ? service.context.db : test.db;
        await changeRows(db.pool, "webhook_endpoint", { url }, { id: idOf(made) });
      };
      await register(key, "own");
      await register(foreign, "foreign");
      await register(live, "live");
      await make(key, { type: "revocation_pending", usdot: "90000001" });
      await make(foreign, { type: "revocation_pending", usdot: "90000002" });
      await receiver.arrival(2);
      expect(receiver.received.map(({ path, body }) => [path, JSON.parse(String(body)).data.usdot])).toEqual(
        expect.arrayContaining([
          ["/own", "90000001"],
          ["/foreign", "90000002"],
        ]),
      );
      expect(receiver.received).toHaveLength(2);
    } finally {
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
      await receiver.close();
    }
  });

  it("is one of 500 a day", async () => {
    const { accountId: other } = await callerOf(test, foreign);
    const made = { type: "reinstated", usdot: 90_000_001, detected_at: test.clock.now(), account_id: other };
    const event = { ...made, country: "US", source_dataset: "authority_history", data: {} };
    await putRows(
      test.db.pool,
      "event",
      ...Array.from({ length: 500 }, (_, n) => ({ ...event, identity: `many ${n}` })),
    );
    expect(await make(foreign)).toMatchObject({ status: 429 });
    expect((await make(key)).status).toBe(201);
  });
});

describe("the live account", () => {
  const openedWithTestKey = async () => {
    const { accountId: id } = await openAccount(service.context);
    return { id, key: (await createTestKey(service.context, id, "first")).key };
  };
  const closedAt = async (id: number) =>
    (await test.db.prisma.account.findUniqueOrThrow({ where: { id } })).closedAt;
  const usageDays = async (id: number) =>
    (await test.db.pool.query("SELECT FROM usage_day WHERE account_id = $1", [id])).rowCount ?? 0;

  it("suspends its test keys at once, and their deliveries within seconds", async () => {
    const stop = runTestMode(service.context, null);
    const suspension = async () =>
      (await test.db.prisma.account.findUnique({ where: { id: accountId } }))?.suspension;
    await suspendAccount(service.context, accountId, "The invoice is open.");
    expect(await get("/v1/feeds", key)).toMatchObject({
      status: 403,
      text: expect.stringContaining("The invoice is open."),
    });
    await until(async () => (await suspension()) === "The invoice is open.");
    await resumeAccount(service.context, accountId);
    expect((await get("/v1/feeds", key)).status).toBe(200);
    await until(async () => (await suspension()) === null);
    await stop();
  });

  it("is closed with its data, and erased later: so are its test keys and their usage", async () => {
    const { id, key: own } = await openedWithTestKey();
    const stop = runTestMode(service.context, null);
    expect((await get("/v1/feeds", own)).status).toBe(200);
    await until(async () => (await usageDays(id)) > 0);
    await closeAccount(service.context, id, { erases: false });
    await until(async () => (await closedAt(id)) !== null);
    expect(await listTestKeys(service.context, id)).toHaveLength(1);
    await closeAccount(service.context, id, { erases: true });
    await until(async () => (await listTestKeys(service.context, id)).length === 0);
    // Usage is erased after the account, in a transaction of its own.
    await until(async () => (await usageDays(id)) === 0);
    await stop();
  });

  it("is open again in a restored backup: its new test keys end when it is closed again", async () => {
    const { id } = await openedWithTestKey();
    const stop = runTestMode(service.context, null);
    await closeAccount(service.context, id, { erases: false });
    await until(async () => (await closedAt(id)) !== null);
    await changeRows(service.context.db.pool, "account", { closed_at: null }, { id });
    const { key: own } = await createTestKey(service.context, id, "after the backup");
    expect((await get("/v1/feeds", own)).status).toBe(200);
    expect(await closedAt(id)).toBeNull();
    await closeAccount(service.context, id, { erases: false });
    await until(async () => (await listTestKeys(service.context, id)).every(({ revoked_at }) => revoked_at));
    await stop();
  });

  it("ends a test key that is revoked, and all when it is closed", async () => {
    const extra = await createTestKey(service.context, accountId, "extra");
    await revokeTestKey(service.context, extra.prefix, accountId);
    expect((await get("/v1/feeds", extra.key)).text).toContain("revoked_api_key");
    await closeAccount(service.context, accountId, { erases: true });
    expect((await get("/v1/feeds", key)).status).toBe(401);
    await expect(createTestKey(service.context, accountId, "late")).rejects.toThrow(/closed/);
  });
});
