import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey, listKeys } from "../../../src/accounts/keys/keys.ts";
import { readUsage } from "../../../src/accounts/usage/usage.ts";
import {
  countRequest,
  flushUsage,
  startUsageCounter,
  writeCounts,
} from "../../../src/accounts/usage/usage-counter.ts";
import type { Context } from "../../../src/platform/context.ts";
import { callerOf, openAccount } from "../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase } from "../../support/database.ts";
import { putRows } from "../../support/rows.ts";

const NOW = "2026-11-21T10:30:15.000Z";

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

const openCaller = async () => callerOf(context, (await openAccount(context)).key);

function countTimes(process: Context, caller: Awaited<ReturnType<typeof openCaller>>, times: number): void {
  for (let time = 0; time < times; time++) countRequest(process, caller);
}

describe("usage", () => {
  it("of an account that has used nothing is zero, with the plan's limits", async () => {
    expect(await readUsage(context, await openCaller())).toEqual({
      month_start: "2026-11-01",
      usage: { api_requests: 0, api_rows: 0, export_rows: 0, quota_rows: 0 },
      limits: {
        api_rows_month: 1000,
        api_rpm: 60,
        api_rows_left: 1000,
        concurrent_exports: 5,
        watched_carriers: 1000,
      },
    });
  });

  it("includes this process's requests, up to the one that asks", async () => {
    const caller = await openCaller();
    countTimes(context, caller, 3);
    expect((await readUsage(context, caller)).usage.api_requests).toBe(3);
    countTimes(context, caller, 2);
    const [first, second] = await Promise.all([readUsage(context, caller), readUsage(context, caller)]);
    expect([first.usage.api_requests, second.usage.api_requests]).toEqual([5, 5]);
  });

  it("waits for counts that are being written", async () => {
    const caller = await openCaller();
    countTimes(context, caller, 1);
    await flushUsage(context);
    const { rows } = await context.db.transaction(async (client) => {
      await client.query("SELECT FROM usage_month WHERE account_id = $1 FOR UPDATE", [caller.accountId]);
      countTimes(context, caller, 4);
      const flush = flushUsage(context);
      const reads = readUsage(context, caller);
      // Long enough for a read that does not wait to return too little.
      for (let trip = 0; trip < 200; trip++) await client.query("SELECT 1");
      return { rows: Promise.all([reads, flush]) };
    });
    expect((await rows)[0].usage.api_requests).toBe(5);
  });

  it("shows no negative remainder when a plan was made smaller", async () => {
    const caller = await openCaller();
    await context.db.prisma.usageMonth.create({
      data: { accountId: caller.accountId, month: new Date("2026-11-01"), quotaRows: 5000n },
    });
    expect((await readUsage(context, caller)).limits.api_rows_left).toBe(0);
  });
});

describe("the request counter", () => {
  it("sums the counts of several processes for several accounts at once", async () => {
    const caller = await openCaller();
    const { planCode } = await context.db.prisma.account.findUniqueOrThrow({
      where: { id: caller.accountId },
    });
    const callers = Array.from({ length: 5000 }, (_, index) => ({ ...caller, accountId: 1_000_000 + index }));
    const accounts = callers.map(({ accountId }) => ({ id: accountId, plan_code: planCode }));
    await putRows(context.db.pool, "account", ...accounts);
    const elsewhere = await openTestContext(database.url, clock);
    // Statements that locked their rows in the order of arrival would deadlock here.
    for (let round = 0; round < 10; round++) {
      for (const each of callers) countTimes(context, each, 2);
      for (const each of callers.toReversed()) countTimes(elsewhere, each, 1);
      await Promise.all([flushUsage(context), flushUsage(elsewhere)]);
    }
    const { rows } = await context.db.pool.query<{ accounts: number; least: number; most: number }>(
      `SELECT count(*) AS accounts, min(api_requests) AS least, max(api_requests) AS most
       FROM usage_month WHERE account_id >= 1000000`,
    );
    expect(rows).toEqual([{ accounts: 5000, least: 30, most: 30 }]);
    await elsewhere.db.close();
  });

  it("keeps its counts when the database refuses them", async () => {
    const caller = await openCaller();
    const other = await openTestContext(database.url, clock);
    countTimes(other, caller, 3);
    await context.db.pool.query("ALTER TABLE usage_month RENAME TO usage_month_away");
    const failed = flushUsage(other);
    countTimes(other, caller, 1);
    await expect(failed).rejects.toThrow("usage_month");
    await context.db.pool.query("ALTER TABLE usage_month_away RENAME TO usage_month");
    await flushUsage(other);
    expect((await readUsage(context, caller)).usage.api_requests).toBe(4);
    await other.db.close();
  });

  it("shares one writing among all who ask while another runs", async () => {
    const caller = await openCaller();
    const other = await openTestContext(database.url, clock);
    countTimes(other, caller, 1);
    const running = writeCounts(other);
    await setImmediate();
    countTimes(other, caller, 2);
    const next = writeCounts(other);
    expect(next).not.toBe(running);
    expect(writeCounts(other)).toBe(next);
    await next;
    expect((await readUsage(context, caller)).usage.api_requests).toBe(3);
    await other.db.close();
  });

  it("writes the remaining counts when it is stopped", async () => {
    const caller = await openCaller();
    const other = await openTestContext(database.url, clock);
    const stop = startUsageCounter(other);
    countTimes(other, caller, 7);
    await stop();
    await other.db.close();
    expect((await readUsage(context, caller)).usage.api_requests).toBe(7);
  });

  it("counts each request in its month", async () => {
    const caller = await openCaller();
    countTimes(context, caller, 2);
    clock.set("2026-12-01T00:00:00Z");
    countTimes(context, caller, 5);
    expect(await readUsage(context, caller)).toMatchObject({
      month_start: "2026-12-01",
      usage: { api_requests: 5 },
    });
    clock.set(NOW);
    expect((await readUsage(context, caller)).usage.api_requests).toBe(2);
  });

  it("records when a key was last used, to the minute", async () => {
    const caller = await openCaller();
    const unused = await createKey(context, caller.accountId, "unused");
    const lastUsed = async (keyId: string) =>
      (await listKeys(context, caller.accountId)).find(({ id }) => id === keyId)?.last_used_at;
    const useAt = async (iso: string) => {
      clock.set(iso);
      countRequest(context, caller);
      await flushUsage(context);
      clock.set(NOW);
    };
    await useAt(NOW);
    expect(await lastUsed(caller.keyId)).toBe(NOW);
    await useAt("2026-11-21T10:30:45.000Z");
    expect(await lastUsed(caller.keyId)).toBe(NOW);
    await useAt("2026-11-21T10:31:45.000Z");
    expect(await lastUsed(caller.keyId)).toBe("2026-11-21T10:31:45.000Z");
    expect(await lastUsed(unused.id)).toBeNull();
  });
});
