import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, callerOfAccount } from "../../../src/accounts/keys/caller.ts";
import { createKey, listKeys } from "../../../src/accounts/keys/keys.ts";
import { addPerson, personNamed, removePerson } from "../../../src/accounts/people/people.ts";
import { chargeRows, refundRows } from "../../../src/accounts/usage/quota.ts";
import { listNearQuota } from "../../../src/accounts/usage/quota-warnings.ts";
import { readUsageReport, usageByDay, usageByMonth } from "../../../src/accounts/usage/usage.ts";
import { countRequest, flushUsage } from "../../../src/accounts/usage/usage-counter.ts";
import type { Context } from "../../../src/platform/context.ts";
import { callerOf, openAccount, setOwner } from "../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { allowWrites, refuseWrites } from "../../support/database/refused-writes.ts";
import { createTestDatabase } from "../../support/database.ts";
import { changeRows, putRows } from "../../support/rows.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let context: Context;
let clock: SettableClock;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = settableClock("2026-10-30T10:00:00Z");
  context = await openTestContext(database.url, clock);
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

async function use(caller: Caller, rows: { api?: number; export?: number }): Promise<void> {
  countRequest(context, caller);
  await chargeRows(context, caller, "api", rows.api ?? 0);
  await chargeRows(context, caller, "export", rows.export ?? 0);
}

describe("usage by day and key", () => {
  it("sums each key's requests and rows without refunded rows, and lists the dashboard separately", async () => {
    const { key, keyId, accountId } = await openAccount(context, { rowsPerMonth: 10_000 });
    const second = await createKey(context, accountId, "second");
    clock.set("2026-10-31T23:59:00Z");
    await use(await callerOf(context, key), { api: 100 });
    const chargedAt = clock.now();
    await use(await callerOf(context, key), { export: 500 });
    await refundRows(context, await callerOf(context, key), 200, chargedAt);
    clock.set("2026-11-01T00:01:00Z");
    await use(await callerOf(context, second.key), { api: 7 });
    await use(await callerOfAccount(context, accountId), { export: 9 });
    const days = await usageByDay(context, accountId, 30);
    expect(days.filter(({ keyId: id }) => id === keyId)).toEqual([
      {
        day: "2026-10-31",
        keyId,
        keyName: "test",
        requests: 2,
        errors: 0,
        refused: 0,
        apiRows: 100,
        exportRows: 300,
      },
    ]);
    expect(days).toHaveLength(3);
    expect(days).toContainEqual({
      day: "2026-11-01",
      keyId: second.id,
      keyName: "second",
      requests: 1,
      errors: 0,
      refused: 0,
      apiRows: 7,
      exportRows: 0,
    });
    expect(days).toContainEqual({
      day: "2026-11-01",
      keyId: "dashboard",
      keyName: "Dashboard",
      requests: 1,
      errors: 0,
      refused: 0,
      apiRows: 0,
      exportRows: 9,
    });
    expect(await usageByDay(context, accountId, 1)).toHaveLength(2);
    expect(await usageByMonth(context, accountId)).toEqual([
      { month: "2026-11-01", requests: 2, apiRows: 7, exportRows: 9, quotaRows: 16 },
      { month: "2026-10-01", requests: 2, apiRows: 100, exportRows: 300, quotaRows: 400 },
    ]);
  });

  // An export that begins right before a month's end is charged right after it, to the month of its begin.
  it("counts rows on the day for whose month they were charged", async () => {
    const { key, accountId } = await openAccount(context, { rowsPerMonth: 10_000 });
    const caller = await callerOf(context, key);
    clock.set("2026-10-31T23:59:59Z");
    const now = clock.now();
    clock.set("2026-11-01T00:00:01Z");
    await context.db.transaction((client) => chargeRows(context, caller, "export", 5, { client, now }));
    expect(await usageByDay(context, accountId, 30)).toMatchObject([{ day: "2026-10-31", exportRows: 5 }]);
    expect(await usageByMonth(context, accountId)).toMatchObject([{ month: "2026-10-01", exportRows: 5 }]);
  });

  // A refund counted in the new month made the key's rows there fewer than it got, or none.
  it("takes rows that a month's last export did not deliver from that month", async () => {
    const { key, keyId, accountId } = await openAccount(context, { rowsPerMonth: 10_000 });
    const caller = await callerOf(context, key);
    clock.set("2026-11-30T23:59:59Z");
    const chargedAt = clock.now();
    await use(caller, { export: 500 });
    clock.set("2026-12-01T00:00:05Z");
    await use(caller, { export: 300 });
    await refundRows(context, caller, 400, chargedAt);
    const { usage, by_key } = await readUsageReport(context, caller);
    expect(usage).toMatchObject({ export_rows: 300, quota_rows: 300 });
    expect(by_key).toMatchObject([{ key_id: keyId, export_rows: 300 }]);
    expect(await usageByDay(context, accountId, 30)).toMatchObject([
      { day: "2026-11-30", exportRows: 100 },
      { day: "2026-12-01", exportRows: 300 },
    ]);
  });

  it("shows no other account's usage", async () => {
    const { key } = await openAccount(context);
    await use(await callerOf(context, key), { api: 5 });
    const { accountId } = await openAccount(context);
    expect(await usageByDay(context, accountId, 400)).toEqual([]);
    expect(await usageByMonth(context, accountId)).toEqual([]);
  });
});

describe("a quota that is running out", () => {
  const subjects = async (recipient: string): Promise<string[]> =>
    (await context.db.prisma.mailOutbox.findMany({ where: { recipient }, orderBy: { id: "asc" } })).map(
      ({ subject }) => subject,
    );

  it("is mailed to the owner at 80% and at 100%, once each a month", async () => {
    clock.set("2026-11-05T10:00:00Z");
    const { key, accountId } = await openAccount(context, { rowsPerMonth: 1_000 });
    const email = `owner${accountId}@freight.example`;
    await setOwner(context, accountId, email);
    const caller = await callerOf(context, key);
    const step = async (rows: number) => {
      await chargeRows(context, caller, "api", rows);
      await flushUsage(context);
      return subjects(email);
    };
    expect(await step(799)).toEqual([]);
    expect(await step(1)).toEqual(["80% of this month's rows are used"]);
    expect(await step(199)).toHaveLength(1);
    expect(await step(1)).toEqual([
      "80% of this month's rows are used",
      "100% of this month's rows are used",
    ]);
    clock.set("2026-12-01T00:00:00Z");
    expect(await step(1_000)).toHaveLength(3);
  });

  it("is mailed later when the database fails meanwhile, as the key's last use is noted later", async () => {
    const { key, accountId } = await openAccount(context, { rowsPerMonth: 10 });
    const email = `owner${accountId}@freight.example`;
    await setOwner(context, accountId, email);
    const caller = await callerOf(context, key);
    countRequest(context, caller);
    await chargeRows(context, caller, "api", 10);
    for (const table of ["api_key", "mail_outbox"]) {
      await refuseWrites(context.db.pool, table, "53100");
      await expect(flushUsage(context)).rejects.toThrow();
      await allowWrites(context.db.pool, table);
    }
    await flushUsage(context);
    expect(await subjects(email)).toEqual(["100% of this month's rows are used"]);
    const [shown] = await listKeys(context, accountId);
    expect(shown?.last_used_at).not.toBeNull();
  });

  it("is mailed to an owner who became the only one, and again when a larger plan runs out", async () => {
    const { key, accountId, planCode } = await openAccount(context, { rowsPerMonth: 10 });
    const [first, next] = [`owner${accountId}@freight.example`, `next${accountId}@freight.example`];
    await setOwner(context, accountId, first);
    const use = async (rows: number) => {
      await chargeRows(context, await callerOf(context, key), "api", rows);
      await flushUsage(context);
    };
    await use(8);
    expect(await subjects(first)).toEqual(["80% of this month's rows are used"]);
    await addPerson(context, accountId, { email: next, role: "owner" });
    await removePerson(context, { accountId }, (await personNamed(context, accountId, first)).id);
    for (let times = 0; times < 2; times++) await use(1);
    expect(await subjects(next)).toEqual([
      "80% of this month's rows are used",
      "100% of this month's rows are used",
    ]);
    await changeRows(context.db.pool, "plan", { rows_per_month: 20 }, { code: planCode });
    await use(5);
    expect(await subjects(next)).toHaveLength(2);
    for (let times = 0; times < 5; times++) await use(1);
    expect((await subjects(next)).slice(2)).toEqual([
      "80% of this month's rows are used",
      "100% of this month's rows are used",
    ]);
  });

  it("is not mailed again to the first owner whom an earlier release told this month", async () => {
    const { key, accountId } = await openAccount(context, { rowsPerMonth: 10 });
    const email = `owner${accountId}@freight.example`;
    await setOwner(context, accountId, email);
    const [month] = clock.now().toISOString().split("T");
    await putRows(context.db.pool, "mail_outbox", {
      identity: `quota 80 % ${month?.slice(0, 7)}-01 account ${accountId}`,
      purpose: "quota_warning",
      recipient: email,
      subject: "told",
      body: "told",
      created_at: clock.now(),
      due_at: clock.now(),
    });
    for (const rows of [8, 2]) {
      await chargeRows(context, await callerOf(context, key), "api", rows);
      await flushUsage(context);
    }
    expect(await subjects(email)).toEqual(["told", "100% of this month's rows are used"]);
  });

  it("is none of a plan without rows", async () => {
    const { key, accountId, planCode } = await openAccount(context, { rowsPerMonth: 10 });
    const email = `owner${accountId}@freight.example`;
    await setOwner(context, accountId, email);
    await chargeRows(context, await callerOf(context, key), "api", 7);
    await changeRows(context.db.pool, "plan", { rows_per_month: 0 }, { code: planCode });
    await flushUsage(context);
    expect(await subjects(email)).toEqual([]);
    expect((await listNearQuota(context, 100)).map(({ id }) => id)).not.toContain(accountId);
  });
});
