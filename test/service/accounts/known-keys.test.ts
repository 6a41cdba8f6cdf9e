// A key that was read before is admitted by a small statement, as long as nothing has changed that admission reads.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { admit } from "../../../src/accounts/keys/admission.ts";
import { NO_TERMS } from "../../../src/accounts/keys/key-terms.ts";
import { createKey, rotateAnyKey } from "../../../src/accounts/keys/keys.ts";
import { admission } from "../../../src/generated/sql/accounts/keys.ts";
import type { Context } from "../../../src/platform/context.ts";
import { openAccount } from "../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { statementNames } from "../../support/database/statement-names.ts";
import { createTestDatabase } from "../../support/database.ts";
import { publishFeed } from "../../support/feeds/published-feed.ts";
import { changeRows, putRows, removeRows } from "../../support/rows.ts";

const FEED = "us_brokers";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let context: Context;
/** Another process, which makes the changes. */
let elsewhere: Context;
let clock: SettableClock;
let statements: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  clock = settableClock("2026-11-21T10:30:15Z");
  [context, elsewhere] = await Promise.all([
    openTestContext(database.url, clock),
    openTestContext(database.url, clock),
  ]);
  await publishFeed(context.db, FEED, { records: [], asOf: "2026-11-20", now: clock.now() });
  statements = statementNames(context.db.pool);
});
afterAll(async () => {
  await Promise.all([context, elsewhere].map(({ db }) => db.close()));
  await database.drop();
});

/** The statements that admit the key, and what they say of it. */
async function admitted(key: string) {
  statements.length = 0;
  const admission = await admit(context, key);
  return { admission, statements: statements.map((name) => name.replace("accounts/keys/", "")) };
}

const KNOWN = ["admissionOfKnown"];
const READ_AGAIN = ["admissionOfKnown", "admission"];

it("is read once, and counted in the same minute by both statements", async () => {
  const { key } = await openAccount(context, { requestsPerMinute: 3 });
  const first = await admitted(key);
  expect(first).toMatchObject({ statements: ["admission"], admission: { rate: { remaining: 2 } } });
  const again = await admitted(key);
  expect(again).toMatchObject({ statements: KNOWN, admission: { rate: { remaining: 1 } } });
  expect({ ...again.admission, rate: null }).toEqual({ ...first.admission, rate: null });
  await admit(elsewhere, key);
  expect(await admitted(key)).toMatchObject({
    statements: KNOWN,
    admission: { outcome: "rate_limited", rate: { remaining: 0 } },
  });
});

it("shares a statement with other known keys, and is beside one that is new", async () => {
  const accounts = await Promise.all(
    Array.from({ length: 4 }, (_, at) => openAccount(context, { requestsPerMinute: 10 + at })),
  );
  const keys = accounts.map(({ key }) => key);
  for (const key of keys.slice(1)) await admit(context, key);
  statements.length = 0;
  const admissions = await Promise.all([...keys, ...keys].map((key) => admit(context, key)));
  expect(statements).toHaveLength(2);
  const left = admissions.map((one) => ("rate" in one ? one.rate.remaining : null));
  expect(left).toEqual([9, 9, 10, 11, 8, 8, 9, 10]);
});

it("charges nothing to requests at once that are more than the quota together, also before anything else of the month", async () => {
  const { key } = await openAccount(context, { rowsPerMonth: 40, feeds: { [FEED]: null } });
  const first = await admit(context, key);
  if (!("snapshot" in first)) throw new Error(first.outcome);
  const knownRows = { rows: 25, snapshot: first.snapshot };
  const one = { isCharged: true, quota: { used: 25 } };
  const none = { isCharged: false, quota: { used: 0 } };
  const together = await Promise.all([1, 2].map(() => admit(context, key, { knownRows })));
  expect(together).toMatchObject([none, none]);
  expect(await admit(context, key, { knownRows })).toMatchObject(one);
  expect(await admit(context, key, { knownRows })).toMatchObject({ ...one, isCharged: false });
});

it("charges the last rows of the month with the last request of the minute, at once and one after the other", async () => {
  for (const rows of [40, 20]) {
    const requests = 40 / rows;
    const plan = { requestsPerMinute: 1 + requests, rowsPerMonth: 40, feeds: { [FEED]: null } };
    const { key } = await openAccount(context, plan);
    const first = await admit(context, key);
    if (!("snapshot" in first)) throw new Error(first.outcome);
    const knownRows = { rows, snapshot: first.snapshot };
    for (let request = 1; request <= requests; request++) {
      const charged = { outcome: "admitted", isCharged: true, quota: { used: request * rows } };
      expect(await admit(context, key, { knownRows })).toMatchObject(charged);
    }
    expect(await admit(context, key, { knownRows })).toMatchObject({ outcome: "rate_limited" });
  }
});

it("ends when its time is over, with both of its secrets in one minute before", async () => {
  const { key, keyId } = await openAccount(context, { requestsPerMinute: 10 });
  const rotated = await rotateAnyKey(context, keyId, 3_600);
  for (const secret of [key, rotated.key]) await admit(context, secret);
  const both = await Promise.all([key, rotated.key].map((secret) => admit(context, secret)));
  expect(both.map((one) => ("rate" in one ? one.rate.remaining : null)).sort()).toEqual([6, 7]);
  clock.advance(3_600_000);
  expect(await admitted(key)).toMatchObject({
    statements: ["admission"],
    admission: { outcome: "expired_key", isReplaced: true },
  });
  expect(await admitted(rotated.key)).toMatchObject({ statements: KNOWN });
});

describe("is read again after a change of", () => {
  type Change = (account: Awaited<ReturnType<typeof openAccount>>) => Promise<unknown>;
  const pool = () => elsewhere.db.pool;
  const changes: Record<string, Change> = {
    "its scopes": ({ keyId }) => changeRows(pool(), "api_key", { scopes: ["usage:read"] }, { id: keyId }),
    "its networks": ({ keyId }) =>
      changeRows(pool(), "api_key", { allowed_networks: ["10.0.0.0/8"] }, { id: keyId }),
    "its end": ({ keyId }) => changeRows(pool(), "api_key", { expires_at: new Date(0) }, { id: keyId }),
    "its account": ({ accountId }) =>
      changeRows(pool(), "account", { suspension: "unpaid", suspended_at: clock.now() }, { id: accountId }),
    "its plan": ({ planCode }) => changeRows(pool(), "plan", { requests_per_minute: 5 }, { code: planCode }),
    "its plan's states": ({ planCode }) =>
      changeRows(pool(), "plan_feed", { all_regions: false, regions: ["TX"] }, { plan_code: planCode }),
    "its plan's feeds": ({ planCode }) => removeRows(pool(), "plan_feed", { plan_code: planCode }),
    "its account's plans": ({ accountId, planCode }) =>
      putRows(pool(), "account_plan_change", {
        account_id: accountId,
        plan_code: planCode,
        changed_at: clock.now(),
      }),
    "its plan's history": ({ planCode }) =>
      putRows(pool(), "plan_feeds_change", { plan_code: planCode, changed_at: clock.now(), feeds: "{}" }),
    "what is served": () =>
      publishFeed(elsewhere.db, FEED, { records: [], asOf: "2026-11-20", now: clock.now() }),
    "a version": () => changeRows(pool(), "feed_version", { row_count: 0 }),
    "the removal list": () => changeRows(pool(), "suppression_state", { number: 1_000 }),
  };

  it.each(Object.entries(changes))("%s", async (_what, change) => {
    const account = await openAccount(context, { requestsPerMinute: 100, feeds: { [FEED]: null } });
    await admit(context, account.key);
    expect((await admitted(account.key)).statements).toEqual(KNOWN);
    await change(account);
    const after = await admitted(account.key);
    // Nothing is admitted by what was known: an ended key is only read.
    expect(after.statements).toEqual(READ_AGAIN);
    const fresh = await openTestContext(database.url, clock);
    const elsewhereKnown = await admit(fresh, account.key);
    await fresh.db.close();
    const withoutCount = (one: object) => ({ ...one, rate: null });
    expect(withoutCount(after.admission)).toEqual(withoutCount(elsewhereKnown));
  });

  // It was read three times: by what was known of it, without a count since it has networks, and with one.
  it("another key, also one with networks, which never change", async () => {
    const { accountId } = await openAccount(context, { requestsPerMinute: 10 });
    const { key } = await createKey(context, accountId, "Networks", {
      ...NO_TERMS,
      networks: ["203.0.113.0/24"],
    });
    const from = async (clientAddress: string) => {
      statements.length = 0;
      const one = await admit(context, key, { clientAddress });
      return { left: "rate" in one ? one.rate.remaining : null, statements: [...statements] };
    };
    const names = (short: readonly string[]) => short.map((name) => `accounts/keys/${name}`);
    expect(await from("203.0.113.1")).toEqual({ left: 9, statements: names(["admission", "admission"]) });
    await openAccount(elsewhere);
    expect(await from("203.0.113.1")).toEqual({ left: 8, statements: names(READ_AGAIN) });
    await openAccount(elsewhere);
    expect(await from("198.51.100.1")).toEqual({ left: 9, statements: names(READ_AGAIN) });
  });

  it("its revocation once, and is then only read", async () => {
    const { key, keyId } = await openAccount(context);
    await admit(context, key);
    await changeRows(pool(), "api_key", { revoked_at: clock.now() }, { id: keyId });
    const revoked = { outcome: "revoked_key" };
    expect(await admitted(key)).toEqual({ statements: READ_AGAIN, admission: revoked });
    expect(await admitted(key)).toEqual({ statements: ["admission"], admission: revoked });
  });

  it("each table that admission reads, but not after the use of a key", async () => {
    const { pool: requests } = context.db;
    const { rows } = await elsewhere.db.pool.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${admission.text}`);
    const read = new Set(JSON.stringify(rows).match(/(?<="Relation Name":")\w+/g));
    // What a key has used is counted and read by both statements.
    for (const counted of ["key_minute", "usage_month", "admission_state"])
      expect(read.delete(counted)).toBe(true);
    const watched = await elsewhere.db.pool.query<{ table: string }>(
      `SELECT DISTINCT tgrelid::regclass::text AS table FROM pg_trigger
       WHERE tgfoid = 'change_admission'::regproc AND tgtype & 16 > 0`,
    );
    expect(watched.rows.map(({ table }) => table).sort()).toEqual([...read].sort());

    const { key, keyId } = await openAccount(context);
    await admit(context, key);
    await changeRows(requests, "api_key", { last_used_at: clock.now() }, { id: keyId });
    expect((await admitted(key)).statements).toEqual(KNOWN);
  });
});
