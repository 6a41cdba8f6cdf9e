// The operations on keys, through HTTP.
import { describe, expect, it } from "vitest";
import { ALL_SCOPES, USUAL_SCOPES } from "../../../../../src/accounts/keys/grant.ts";
import {
  accountId,
  create,
  type KeysOut,
  manager,
  master,
  NOW,
  revoke,
  rotate,
  send,
  service,
  usage,
  useKeyRequests,
} from "./key-requests.ts";

useKeyRequests();

describe("createKey", () => {
  it("makes a key that works at once, with the usual scopes, without an end and from anywhere", async () => {
    const made = await create(master);
    expect(made).toEqual({
      status: 201,
      id: expect.stringMatching(/^\w{8}$/),
      name: "Sync",
      prefix: `tdf_live_${made.id}`,
      state: "active",
      scopes: USUAL_SCOPES,
      expires_at: null,
      allowed_networks: null,
      created_at: NOW,
      last_used_at: null,
      revoked_at: null,
      previous_valid_until: null,
      key: expect.stringMatching(new RegExp(`^tdf_live_${made.id}_\\w{36}$`)),
    });
    expect(await usage(made.key ?? "")).toBe(200);
    expect(await create(made.key ?? "")).toMatchObject({ code: "insufficient_scope" });
  });

  it("is the only answer with the secret, also when it is asked for again; another key does not get it", async () => {
    const idempotent = { "Idempotency-Key": "one" };
    const made = await send("POST", "/v1/keys", master, { name: "Once" }, idempotent);
    expect(await send("POST", "/v1/keys", master, { name: "Once" }, idempotent)).toEqual(made);
    const other = await manager({ scopes: ALL_SCOPES });
    expect(await send("POST", "/v1/keys", other.key, { name: "Once" }, idempotent)).toMatchObject({
      code: "idempotency_conflict",
    });
    const list = await (await service.get("/v1/keys", master)).text();
    expect(list).not.toContain(made.key);
    const rows = await service.context.db.pool.query("SELECT api_key::text FROM api_key");
    const kept = await service.context.db.pool.query("SELECT idempotent_answer::text FROM idempotent_answer");
    expect(JSON.stringify([rows.rows, kept.rows])).not.toContain(made.key?.slice(18));
  });

  it.each([
    ["scopes", { scopes: ["feeds:read", "keys:write"] }, {}, "lacks the scopes feeds:read"],
    ["scopes by leaving them out", {}, {}, "lacks the scopes"],
    [
      "a later end",
      { expires_in_days: 8 },
      { scopes: ALL_SCOPES, expiresAt: new Date("2026-11-29T11:59:59Z") },
      "ends on",
    ],
    ["no end", {}, { scopes: ALL_SCOPES, expiresAt: new Date("2026-11-29T12:00:00Z") }, "ends on"],
    [
      "a wider network",
      { allowed_networks: ["126.0.0.0/7"] },
      { scopes: ALL_SCOPES, networks: ["127.0.0.0/8"] },
      "not be used from 126.0.0.0/7",
    ],
    [
      "another network",
      { allowed_networks: ["127.0.0.1", "::1"] },
      { scopes: ALL_SCOPES, networks: ["127.0.0.0/8"] },
      "not be used from ::1/128",
    ],
    [
      "any network",
      { allowed_networks: [] },
      { scopes: ALL_SCOPES, networks: ["127.0.0.0/8"] },
      "only from 127.0.0.0/8",
    ],
  ] as const)("can't give %s that the key has not", async (_what, asked, terms, reason) => {
    const own = await manager(terms);
    const refused = await create(own.key, asked);
    expect(refused).toMatchObject({ code: "exceeds_own_key" });
    expect(refused.detail).toContain(reason);
  });

  it("gives what the key has, up to all of it", async () => {
    const terms = {
      scopes: ALL_SCOPES,
      networks: ["127.0.0.0/8", "::1/128"],
      expiresAt: new Date("2026-11-29T12:00:00Z"),
    };
    const own = await manager(terms);
    const asked = { scopes: ALL_SCOPES, expires_in_days: 8, allowed_networks: ["127.0.0.0/8", "127.0.0.1"] };
    const made = await create(own.key, asked);
    expect(made).toMatchObject({ scopes: ALL_SCOPES, expires_at: "2026-11-29T12:00:00.000Z" });
    expect(made.allowed_networks).toEqual(["127.0.0.0/8", "127.0.0.1/32"]);
    expect(await usage(made.key ?? "")).toBe(200);
  });

  it("ends at any time of the calendar, and at no other", async () => {
    const made = await create(master, { expires_at: "2026-12-31T23:59:60Z" });
    expect(made).toMatchObject({ status: 201, expires_at: "2027-01-01T00:00:00.000Z" });
    const last = await create(master, { expires_at: "9999-12-31T23:59:59Z" });
    expect(last.expires_at).toBe("9999-12-31T23:59:59.000Z");
    const tooLate = { name: "Sync", expires_at: "9999-12-31T23:59:59-00:01" };
    expect((await service.send("POST", "/v1/keys", { key: master, body: tooLate })).status).toBe(422);
    expect((await service.get("/v1/keys", master)).status).toBe(200);
    for (const { id } of [made, last]) await revoke(master, id);
  });

  it("makes 50 keys in use and not one more, also at once; ended ones do not count", async () => {
    await create(master, { expires_in_days: 1 });
    for (let made = 2; made < 45; made++) await service.createKey(accountId);
    const answers = await Promise.all(Array.from({ length: 9 }, () => create(master)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ code }) => code === "key_limit_reached")).toHaveLength(4);
    service.clock.advance(86_400_000);
    expect((await create(master)).status).toBe(201);
    expect((await create(master)).code).toBe("key_limit_reached");
  });
});

describe("rotateKey", () => {
  it("gives a new secret beside the old one; name, scopes and usage stay", async () => {
    const { id, key: old = "" } = await create(master, { scopes: ["usage:read"], expires_in_days: 30 });
    const rotated = await rotate(master, id, 3600);
    expect(rotated).toMatchObject({
      status: 200,
      id,
      name: "Sync",
      scopes: ["usage:read"],
      state: "in_grace",
      previous_valid_until: "2026-11-21T13:00:00.000Z",
    });
    for (const key of [old, rotated.key ?? ""]) expect(await usage(key)).toBe(200);
    service.clock.advance(3_600_000);
    expect([await usage(old), await usage(rotated.key ?? "")]).toEqual([401, 200]);
    const list = (await (await service.get("/v1/keys", master)).json()) as KeysOut;
    expect(list.data.find((key) => key.id === id)).toMatchObject({
      state: "active",
      previous_valid_until: null,
    });
  });

  it("lets a key rotate itself, but not a secret in its grace, which would live longer so", async () => {
    const own = await manager({});
    const { key = "" } = await rotate(own.key, own.id);
    expect(await rotate(own.key, own.id)).toMatchObject({ code: "exceeds_own_key" });
    expect(await create(own.key, { scopes: ["keys:write"] })).toMatchObject({ code: "exceeds_own_key" });
    expect((await create(own.key, { scopes: ["keys:write"], expires_in_days: 1 })).status).toBe(201);
    expect((await rotate(key, own.id, 0)).status).toBe(200);
  });

  it("does not give a key that has more", async () => {
    const own = await manager({});
    const { id, key = "" } = await create(master);
    expect(await rotate(own.key, id, 0)).toMatchObject({ code: "exceeds_own_key" });
    expect(await usage(key)).toBe(200);
  });

  it("refuses a key that was revoked or has expired", async () => {
    const [revoked, expired] = [await create(master), await create(master, { expires_in_days: 1 })];
    await revoke(master, revoked.id);
    service.clock.advance(86_400_000);
    for (const { id } of [revoked, expired])
      expect(await rotate(master, id)).toMatchObject({ code: "key_ended" });
  });
});

describe("revokeKey", () => {
  it("ends a key at once, and again changes nothing", async () => {
    const { id, key = "" } = await create(master);
    expect(await revoke(master, id)).toEqual({ status: 204 });
    expect(await usage(key)).toBe(401);
    service.clock.advance(1000);
    expect(await revoke(master, id)).toEqual({ status: 204 });
    const { data } = (await (await service.get("/v1/keys", master)).json()) as KeysOut;
    expect(data.find((each) => each.id === id)).toMatchObject({ state: "revoked", revoked_at: NOW });
  });

  it("lets a key revoke itself and less, but no key that has more, whatever their ends", async () => {
    const own = await manager({
      scopes: ["keys:write", "usage:read"],
      expiresAt: new Date("2026-11-22T00:00:00Z"),
    });
    const less = await create(master, { scopes: ["usage:read"] });
    const more = await create(master);
    expect(await revoke(own.key, more.id)).toMatchObject({ code: "exceeds_own_key" });
    expect(await usage(more.key ?? "")).toBe(200);
    expect(await revoke(own.key, less.id)).toEqual({ status: 204 });
    expect(await revoke(own.key, own.id)).toEqual({ status: 204 });
    expect(await revoke(own.key, own.id)).toMatchObject({ code: "revoked_api_key" });
  });
});

describe("listKeys", () => {
  it("lists the account's keys by pages, oldest first, without secrets", async () => {
    for (const name of ["One", "Two", "Three"]) {
      service.clock.advance(1000);
      await create(master, { name });
    }
    const names: string[] = [];
    let cursor: string | null = "";
    for (let pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(3);
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const answer = await service.get(`/v1/keys?limit=2${query}`, master);
      const page = (await answer.json()) as KeysOut;
      expect(page.meta).toEqual({ keys_in_use: 4, keys_limit: 50 });
      names.push(...page.data.map(({ name }) => name));
      expect(page.data.some((key) => "key" in key)).toBe(false);
      cursor = page.next_cursor;
    }
    expect(names).toEqual(["test", "One", "Two", "Three"]);
  });
});
