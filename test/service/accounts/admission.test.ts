import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setPlan } from "../../../src/accounts/accounts.ts";
import { type Admission, admit } from "../../../src/accounts/keys/admission.ts";
import { USUAL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { hashKey, keyText, newKey, parseKey } from "../../../src/accounts/keys/key-format.ts";
import { revokeKey } from "../../../src/accounts/keys/keys.ts";
import type { Context } from "../../../src/platform/context.ts";
import { openAccount } from "../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase } from "../../support/database.ts";
import { inProcesses } from "../../support/processes/accounts-processes.ts";

const NOW = "2026-11-21T10:30:15Z";
const MINUTE_ENDS = Date.parse("2026-11-21T10:31:00Z") / 1000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let context: Context;
let clock: SettableClock;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = settableClock(NOW);
  context = await openTestContext(database.url, clock);
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

const outcomes = (admissions: Admission[]) =>
  Object.fromEntries(
    [...Map.groupBy(admissions, ({ outcome }) => outcome)].map(([outcome, all]) => [outcome, all.length]),
  );

const times = <T>(count: number, one: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, one));

/** A well-formed key with the same identifier and another secret, as somebody who knows the form would guess. */
function withAnotherSecret(key: string): string {
  const id = key.slice(9, 17);
  return keyText(id, key.slice(18, 48) === "0".repeat(30) ? "1".repeat(30) : "0".repeat(30));
}

describe("admission of keys", () => {
  it("returns the caller and its plan, with regions", async () => {
    const feeds = { us_brokers: ["CA", "TX"], us_new_authority_weekly: null };
    const account = await openAccount(context, { requestsPerMinute: 7, rowsPerMonth: 5_000_000_000, feeds });
    expect(await admit(context, account.key)).toEqual({
      outcome: "admitted",
      caller: {
        accountId: account.accountId,
        keyId: account.keyId,
        planCode: account.planCode,
        licenceRef: account.licenceRef,
        hasApiAccess: true,
        requestsPerMinute: 7,
        rowsPerMonth: 5_000_000_000,
        concurrentExports: 5,
        watchedCarriers: 1000,
        feeds: new Map(Object.entries(feeds)),
        feedsNumber: expect.any(Number),
        suspension: null,
        grant: { scopes: USUAL_SCOPES, networks: null, validUntil: null },
      },
      rate: { limit: 7, remaining: 6, resetAtSeconds: MINUTE_ENDS },
      quota: { limit: 5_000_000_000, used: 0, resetAtSeconds: Date.parse("2026-12-01T00:00:00Z") / 1000 },
      snapshot: {
        feeds: '{ "us_brokers" : ["CA","TX"], "us_new_authority_weekly" : null }',
        served: expect.stringContaining("listState"),
      },
      isCharged: false,
    });
  });

  it("sees a plan without API access, and a changed plan, at the very next request", async () => {
    const account = await openAccount(context, { apiAccess: false });
    const other = await openAccount(context, { requestsPerMinute: 999 });
    expect(await admit(context, account.key)).toMatchObject({ caller: { hasApiAccess: false } });
    await setPlan(context, account.accountId, other.planCode);
    expect(await admit(context, account.key)).toMatchObject({
      caller: { hasApiAccess: true },
      rate: { limit: 999, remaining: 997 },
    });
  });

  it("does not know an identifier that does not exist, or a wrong secret, and counts neither", async () => {
    const account = await openAccount(context);
    expect(await admit(context, newKey().key)).toEqual({ outcome: "invalid_key" });
    const wrong = withAnotherSecret(account.key);
    expect(parseKey(wrong)?.id).toBe(account.keyId);
    expect(await times(100, () => admit(context, wrong))).toEqual(
      Array(100).fill({ outcome: "invalid_key" }),
    );
    expect(await admit(context, account.key)).toMatchObject({ rate: { remaining: 59 } });
  });

  it("distinguishes a wrong and a right secret that arrive together", async () => {
    const account = await openAccount(context);
    const wrong = withAnotherSecret(account.key);
    const answers = await Promise.all(
      [wrong, account.key, wrong, account.key].map((key) => admit(context, key)),
    );
    expect(answers.map(({ outcome }) => outcome)).toEqual([
      "invalid_key",
      "admitted",
      "invalid_key",
      "admitted",
    ]);
    expect(answers[3]).toMatchObject({ rate: { remaining: 58 } });
  });

  it("refuses a revoked key at once, also in another process, and says so only to a caller with the secret", async () => {
    const account = await openAccount(context);
    const elsewhere = await openTestContext(database.url, clock);
    expect(await admit(elsewhere, account.key)).toMatchObject({ outcome: "admitted" });
    await revokeKey(context, account.keyId);
    for (const process of [context, elsewhere]) {
      expect(await admit(process, account.key)).toEqual({ outcome: "revoked_key" });
      expect(await admit(process, withAnotherSecret(account.key))).toEqual({ outcome: "invalid_key" });
    }
    await elsewhere.db.close();
  });

  it("answers a missing or malformed key without the database", async () => {
    const dead = await openTestContext(database.url, clock);
    await dead.db.close();
    const { key } = newKey();
    const malformed = [
      undefined,
      "",
      "x",
      `${key}x`,
      key.slice(0, -1),
      `${key.slice(0, 20)}-${key.slice(21)}`,
    ];
    for (const text of malformed) expect(await admit(dead, text)).toEqual({ outcome: "invalid_key" });
    const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
    expect(await admit(dead, mistyped)).toEqual({ outcome: "invalid_key" });
    await expect(admit(dead, key)).rejects.toThrow();
  });
});

describe("the limit of a key's minute", () => {
  it("admits exactly the limit of 600 requests at once, over the connections of three pools", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 60 });
    const others = [await openTestContext(database.url, clock), await openTestContext(database.url, clock)];
    const processes = [context, ...others];
    const admissions = (
      await Promise.all(processes.map((process) => times(200, () => admit(process, key))))
    ).flat();
    expect(outcomes(admissions)).toEqual({ admitted: 60, rate_limited: 540 });
    const remaining = admissions.flatMap((each) =>
      each.outcome === "admitted" ? [each.rate.remaining] : [],
    );
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
    const refused = admissions.filter(({ outcome }) => outcome === "rate_limited");
    for (const each of refused) {
      expect(each).toMatchObject({ rate: { limit: 60, remaining: 0, resetAtSeconds: MINUTE_ENDS } });
    }
    await Promise.all(others.map((other) => other.db.close()));
  });

  it("admits exactly the limit of 600 requests at once, over three processes", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 60 });
    const task = { kind: "admit" as const, key, times: 200 };
    const answers = (await inProcesses<string>(database.url, NOW, [task, task, task])).flat();
    expect(answers.filter((outcome) => outcome === "admitted")).toHaveLength(60);
    expect(answers.filter((outcome) => outcome === "rate_limited")).toHaveLength(540);
  });

  it("counts each key separately, also when many keys arrive in opposite orders from two sides", async () => {
    const account = await openAccount(context, { requestsPerMinute: 15 });
    const keys = Array.from({ length: 500 }, newKey);
    await context.db.prisma.apiKey.createMany({
      data: keys.map(({ id, key }) => ({
        id,
        accountId: account.accountId,
        name: "one of many",
        createdAt: clock.now(),
        secretHash: new Uint8Array(hashKey(key)),
      })),
    });
    const elsewhere = await openTestContext(database.url, clock);
    const admissions: Admission[] = [];
    // Statements that locked their rows in the order of arrival would deadlock here.
    for (let round = 0; round < 10; round++) {
      const ours = keys.map(({ key }) => admit(context, key));
      const theirs = keys.toReversed().map(({ key }) => admit(elsewhere, key));
      admissions.push(...(await Promise.all([...ours, ...theirs])));
    }
    expect(outcomes(admissions)).toEqual({ admitted: 7500, rate_limited: 2500 });
    await elsewhere.db.close();
  });

  it("admits the requests that arrived first", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 3 });
    const admissions = await times(5, () => admit(context, key));
    expect(admissions.map(({ outcome }) => outcome)).toEqual([
      "admitted",
      "admitted",
      "admitted",
      "rate_limited",
      "rate_limited",
    ]);
  });

  it("starts again with the next minute, not before", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 2 });
    expect(outcomes(await times(3, () => admit(context, key)))).toEqual({ admitted: 2, rate_limited: 1 });
    clock.set("2026-11-21T10:30:59.999Z");
    expect(await admit(context, key)).toMatchObject({
      outcome: "rate_limited",
      rate: { resetAtSeconds: MINUTE_ENDS },
    });
    clock.set("2026-11-21T10:31:00Z");
    const rate = { limit: 2, remaining: 1, resetAtSeconds: MINUTE_ENDS + 60 };
    expect(await admit(context, key)).toMatchObject({ outcome: "admitted", rate });
    clock.set(NOW);
  });

  it("is not raised by a process whose clock is behind: it counts in the minute that others have begun", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 3 });
    const behind = await openTestContext(database.url, settableClock("2026-11-21T10:29:59Z"));
    expect(await admit(behind, key)).toMatchObject({
      rate: { remaining: 2, resetAtSeconds: MINUTE_ENDS - 60 },
    });
    expect(await admit(context, key)).toMatchObject({ rate: { remaining: 2, resetAtSeconds: MINUTE_ENDS } });
    expect(await admit(behind, key)).toMatchObject({ rate: { remaining: 1, resetAtSeconds: MINUTE_ENDS } });
    expect(await admit(context, key)).toMatchObject({ outcome: "admitted", rate: { remaining: 0 } });
    expect(await admit(behind, key)).toMatchObject({ outcome: "rate_limited" });
    await behind.db.close();
  });

  it("ignores a minute far in the future, which only a wrong clock can have written", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 3 });
    const ahead = await openTestContext(database.url, settableClock("2026-11-21T11:30:15Z"));
    expect(await admit(ahead, key)).toMatchObject({ rate: { resetAtSeconds: MINUTE_ENDS + 3_600 } });
    for (const remaining of [2, 1, 0]) {
      expect(await admit(context, key)).toMatchObject({
        outcome: "admitted",
        rate: { remaining, resetAtSeconds: MINUTE_ENDS },
      });
    }
    expect(await admit(context, key)).toMatchObject({ outcome: "rate_limited" });
    await ahead.db.close();
  });

  it("shares one statement among the requests of a tick", async () => {
    const { key } = await openAccount(context, { requestsPerMinute: 600 });
    let statements = 0;
    const count = () => {
      statements += 1;
    };
    context.db.pool.on("acquire", count);
    // Each in a callback of its own, as requests come from their sockets.
    const fromItsSocket = () =>
      new Promise((resolve) => {
        setImmediate(() => resolve(admit(context, key)));
      });
    await times(300, fromItsSocket);
    context.db.pool.off("acquire", count);
    expect(statements).toBe(1);
  });
});
