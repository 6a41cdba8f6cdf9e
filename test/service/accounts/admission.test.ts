import { describe, expect, it } from "vitest";
import { setPlan } from "../../../src/accounts/accounts.ts";
import { admit } from "../../../src/accounts/keys/admission.ts";
import { USUAL_SCOPES } from "../../../src/accounts/keys/grant.ts";
import { newKey, parseKey } from "../../../src/accounts/keys/key-format.ts";
import { revokeKey } from "../../../src/accounts/keys/keys.ts";
import { openAccount } from "../../support/accounts.ts";
import { openTestContext } from "../../support/context.ts";
import { clock, context, database, MINUTE_ENDS, times, useKeys, withAnotherSecret } from "./admitted.ts";

useKeys();

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
