// A request that is sent again is admitted and charged by one statement. It must notice whatever changed meanwhile.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { setPlan } from "../../../../src/accounts/accounts.ts";
import { keyText } from "../../../../src/accounts/keys/key-format.ts";
import { revokeKey } from "../../../../src/accounts/keys/keys.ts";
import { settableClock } from "../../../support/clock.ts";
import { statementNames } from "../../../support/database/statement-names.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { blankContacts, removeBusinesses } from "../../../support/removals/removals.ts";
import { changeRows, removeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

const FEED = "us_brokers";
const PATH = `/v1/feeds/${FEED}/records?page_size=10`;
const NOW = "2026-11-21T12:00:15Z";
const PHONE = "3605550142";

let service: TestService;
/** The names of the prepared statements since it was emptied. */
let statements: string[];
beforeAll(async () => {
  service = await startTestService({ clock: settableClock(NOW) });
  statements = statementNames(service.context.db.pool);
});
afterAll(() => service.stop());

/** Publishes ten businesses from this USDOT number on, by turns in Texas and California. */
const publish = (first: number): Promise<number> =>
  publishFeed(service.context.db, FEED, {
    records: Array.from({ length: 10 }, (_, index) =>
      feedRecord(FEED, {
        dot_number: String(first + index),
        state: index % 2 === 0 ? "TX" : "CA",
        phone: index === 3 ? PHONE : null,
      }),
    ),
    asOf: "2026-11-20",
    now: service.clock.now(),
  });

let first = 0;
let version = 0;
beforeEach(async () => {
  service.clock.set(NOW);
  first += 100;
  version = await publish(first);
});

const PLAN = { feeds: { [FEED]: null }, requestsPerMinute: 10_000, rowsPerMonth: 1_000_000 };

async function read(key: string, path = PATH) {
  const answer = await service.get(path, key);
  const body = (await answer.json()) as { code?: string; data?: { dot_number: string }[] };
  const usdots = body.data?.map(({ dot_number }) => Number(dot_number) - first);
  return { status: answer.status, code: body.code, usdots, headers: answer.headers, body };
}

/** An account whose page was answered twice, the second time by one statement. */
async function readTwice(plan = {}) {
  const account = await service.createAccount({ ...PLAN, ...plan });
  const before = await read(account.key);
  statements.length = 0;
  const again = await read(account.key);
  expect(statements.filter((name) => !name.includes("partOfColumn"))).toEqual([
    "accounts/keys/admissionOfKnown",
  ]);
  expect(again.body).toEqual(before.body);
  expect(again.headers.get("etag")).toBe(before.headers.get("etag"));
  expect(again.usdots).toHaveLength(10);
  return account;
}

const usageOf = async (key: string) => {
  const answer = await service.get("/v1/usage", key);
  const { usage } = (await answer.json()) as { usage: { quota_rows: number; api_requests: number } };
  return usage;
};

it("is answered by one statement, and counts and costs as much as the first", async () => {
  const { key } = await readTwice();
  expect((await read(key)).headers.get("x-ratelimit-remaining")).toBe("9997");
  expect(await usageOf(key)).toMatchObject({ quota_rows: 30, api_requests: 4 });
});

const quotaOf = ({ headers }: { headers: Headers }) => ({
  left: Number(headers.get("x-quota-remaining")),
  cost: Number(headers.get("x-quota-cost")),
});

it("tells the rows that are left after it, together with those that were answered at the same time", async () => {
  const { key, accountId } = await readTwice({ rowsPerMonth: 100 });
  expect(quotaOf(await read(key))).toEqual({ left: 70, cost: 10 });
  const other = (await service.createKey(accountId)).key;
  expect(quotaOf(await read(other))).toEqual({ left: 60, cost: 10 });
  const answers = await Promise.all([read(key), read(other), read(key)]);
  expect(answers.map(quotaOf).map(({ cost }) => cost)).toEqual([10, 10, 10]);
  expect(Math.min(...answers.map((each) => quotaOf(each).left))).toBe(30);
  const all = await Promise.all(Array.from({ length: 9 }, () => read(key)));
  for (const each of all) expect(quotaOf(each).cost).toBe(each.status === 200 ? 10 : 0);
  const refused = all.filter(({ code }) => code === "quota_exceeded");
  expect(refused.length).toBe(6);
  // The refusal says in words what its headers say.
  for (const each of refused) expect(quotaOf(each).left).toBe(0);
  expect((await usageOf(key)).quota_rows).toBe(100);
});

it("shows no business that was removed since, and no contact", async () => {
  const { key } = await readTwice();
  await removeBusinesses(service.context.db, [first + 2], service.clock.now());
  expect((await read(key)).usdots).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9]);
  expect((await read(key)).usdots).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9]);
  await blankContacts(service.context.db, [PHONE], service.clock.now());
  expect((await read(key)).usdots).toEqual([0, 1, 4, 5, 6, 7, 8, 9]);
  expect((await usageOf(key)).quota_rows).toBe(20 + 9 + 9 + 8);
  await removeRows(service.context.db.pool, "blanked_contact");
});

it("shows the version that is current, also one of before", async () => {
  const { key } = await readTwice();
  const next = await publish(first + 50);
  expect((await read(key)).usdots?.[0]).toBe(50);
  await changeRows(service.context.db.pool, "feed_current", { version_id: version });
  expect((await read(key)).usdots?.[0]).toBe(0);
  await changeRows(service.context.db.pool, "feed_current", { version_id: next });
  expect((await read(key)).usdots?.[0]).toBe(50);
});

it("is refused once the key is revoked, and to another secret of the same identifier", async () => {
  const { key, keyId } = await readTwice();
  expect(await read(keyText(keyId, "0".repeat(30)))).toMatchObject({ status: 401, code: "invalid_api_key" });
  await revokeKey(service.context, keyId);
  expect(await read(key)).toMatchObject({ status: 401, code: "revoked_api_key" });
});

it("follows the plan: its states, its feeds, its access", async () => {
  const { key, accountId } = await readTwice();
  const texas = await service.createAccount({ ...PLAN, feeds: { [FEED]: ["TX"] } });
  await setPlan(service.context, accountId, texas.planCode);
  expect((await read(key)).usdots).toEqual([0, 2, 4, 6, 8]);
  const without = await service.createAccount({ ...PLAN, feeds: {} });
  await setPlan(service.context, accountId, without.planCode);
  expect(await read(key)).toMatchObject({ status: 403, code: "not_entitled" });
  const closed = await service.createAccount({ ...PLAN, apiAccess: false });
  await setPlan(service.context, accountId, closed.planCode);
  expect(await read(key)).toMatchObject({ status: 403, code: "plan_has_no_api_access" });
  expect((await read(texas.key)).usdots).toEqual([0, 2, 4, 6, 8]);
});

it("is refused when the data has become stale", async () => {
  const { key } = await readTwice();
  service.clock.set("2026-11-26T12:00:00Z");
  expect(await read(key)).toMatchObject({ status: 503, code: "stale_source" });
});

it("gets exactly the rows of the quota, however many ask at once", async () => {
  const { key, accountId } = await readTwice({ rowsPerMonth: 95 });
  const other = (await service.createKey(accountId)).key;
  await read(other);
  const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => read(at % 2 ? key : other)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
  expect(answers.filter(({ code }) => code === "quota_exceeded")).toHaveLength(24);
  expect((await usageOf(key)).quota_rows).toBe(90);
});

it("is charged nothing when the rate limit refuses it", async () => {
  const { key } = await readTwice({ requestsPerMinute: 6 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => read(key)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  service.clock.advance(60_000);
  expect((await usageOf(key)).quota_rows).toBe(60);
});

it("has its usual answer when it asks for less: its tag is current, or it is HEAD", async () => {
  const { key } = await readTwice();
  const { headers } = await read(key);
  const tag = headers.get("etag") ?? "";
  expect((await service.get(PATH, key, { "If-None-Match": tag })).status).toBe(304);
  expect((await service.send("HEAD", PATH, { key })).status).toBe(200);
  expect((await usageOf(key)).quota_rows).toBe(30);
});
