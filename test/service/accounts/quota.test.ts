import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../src/accounts/keys/caller.ts";
import { chargeRows, type RowKind, refundRows } from "../../../src/accounts/usage/quota.ts";
import { readUsage } from "../../../src/accounts/usage/usage.ts";
import * as sql from "../../../src/generated/sql/accounts/usage.ts";
import type { Context } from "../../../src/platform/context.ts";
import { ProblemError } from "../../../src/platform/http/problem.ts";
import { callerOf, openAccount } from "../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase } from "../../support/database.ts";
import { inProcesses } from "../../support/processes/accounts-processes.ts";

const NOW = "2026-11-30T23:59:58Z";

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

const openCaller = async (rowsPerMonth: number): Promise<Caller> =>
  callerOf(context, (await openAccount(context, { rowsPerMonth })).key);

async function fits(process: Context, caller: Caller, rows: number, kind: RowKind = "api"): Promise<boolean> {
  try {
    await chargeRows(process, caller, kind, rows);
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.code === "quota_exceeded") return false;
    throw error;
  }
}

const rowsUsed = async (caller: Caller): Promise<number> =>
  (await readUsage(context, caller)).usage.quota_rows;

describe("the month's quota", () => {
  it("counts JSON rows and CSV rows together, each in a counter of its own", async () => {
    const caller = await openCaller(1000);
    await chargeRows(context, caller, "api", 300);
    await chargeRows(context, caller, "export", 500);
    expect((await readUsage(context, caller)).usage).toMatchObject({
      api_rows: 300,
      export_rows: 500,
      quota_rows: 800,
    });
    expect(await fits(context, caller, 201, "export")).toBe(false);
    expect(await fits(context, caller, 200, "export")).toBe(true);
  });

  it("waits for the disk neither to charge nor to count", async () => {
    const caller = await openCaller(1000);
    const modeAfter = (text: string, values: unknown[]): Promise<string> =>
      context.db.transaction(async (client) => {
        await client.query(text, values);
        return (await client.query("SHOW synchronous_commit")).rows[0].synchronous_commit;
      });
    expect(await modeAfter(sql.charge.text, [caller.accountId, "2026-11-01", 1, 0, 1000])).toBe("off");
    const counts = [[caller.accountId], ["2026-11-30"], [caller.keyId], [1], [1], [0], [0], [0]];
    expect(await modeAfter(sql.usageCounts.text, counts)).toBe("off");
    expect(await rowsUsed(caller)).toBe(1);
  });

  it("says how many rows are left, and when there will be more", async () => {
    const caller = await openCaller(1000);
    await chargeRows(context, caller, "api", 950);
    await expect(chargeRows(context, caller, "api", 100)).rejects.toMatchObject({
      code: "quota_exceeded",
      message: "This answer has 100 rows, and 50 of the 1,000 rows of your plan are left this month (UTC).",
      retryAfterSeconds: 2,
    });
    expect(await rowsUsed(caller)).toBe(950);
  });

  it("also refuses the first charge of a month above the limit, and a plan without rows", async () => {
    const caller = await openCaller(0);
    expect(await fits(context, caller, 1)).toBe(false);
    expect(await fits(context, caller, 0)).toBe(true);
    expect(await rowsUsed(caller)).toBe(0);
  });

  it("never refuses an answer without rows, even when the quota is used up", async () => {
    const caller = await openCaller(100);
    await chargeRows(context, caller, "api", 100);
    await chargeRows(context, caller, "api", 0);
    expect(await fits(context, caller, 1)).toBe(false);
    await chargeRows(context, { ...caller, rowsPerMonth: 50 }, "api", 0);
  });

  it("delivers exactly the quota to 200 requests at once in one process", async () => {
    const caller = await openCaller(1000);
    const answers = await Promise.all(Array.from({ length: 200 }, () => fits(context, caller, 100)));
    expect(answers.filter(Boolean)).toHaveLength(10);
    expect(await rowsUsed(caller)).toBe(1000);
  });

  it("delivers exactly the quota to 200 requests at once over three processes, five times", async () => {
    for (let run = 0; run < 5; run++) {
      const caller = await openCaller(1000);
      const task = (times: number) => ({
        kind: "charge" as const,
        accountId: caller.accountId,
        limit: 1000,
        rows: Array<number>(times).fill(100),
      });
      const answers = await inProcesses<boolean>(database.url, NOW, [task(67), task(67), task(66)]);
      expect(answers.flat().filter(Boolean)).toHaveLength(10);
      expect(await rowsUsed(caller)).toBe(1000);
    }
  });

  it("is never exceeded by charges of mixed sizes, and no refused charge would have fitted", async () => {
    const elsewhere = await openTestContext(database.url, clock);
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sizes, async (rows) => {
        const caller = await openCaller(1000);
        const answers = await Promise.all(
          rows.map((each, index) => fits(index % 2 ? elsewhere : context, caller, each)),
        );
        const charged = rows.filter((_, index) => answers[index]).reduce((sum, each) => sum + each, 0);
        expect(await rowsUsed(caller)).toBe(charged);
        expect(charged).toBeLessThanOrEqual(1000);
        for (const [index, each] of rows.entries()) {
          if (!answers[index]) expect(each).toBeGreaterThan(1000 - charged);
        }
      }),
      { numRuns: 40, verbose: true },
    );
    await elsewhere.db.close();
  });

  it("refuses no charge that fits, one after the other", async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sizes, async (rows) => {
        const caller = await openCaller(1000);
        let left = 1000;
        for (const each of rows) {
          expect(await fits(context, caller, each)).toBe(each <= left);
          if (each <= left) left -= each;
        }
      }),
      { numRuns: 20, verbose: true },
    );
  });

  it("charges each account its own rows when several are charged in one batch", async () => {
    const [one, two] = [await openCaller(1000), await openCaller(1000)];
    await Promise.all(
      [5, 7, 11].map((rows, index) => chargeRows(context, index % 2 ? two : one, "api", rows)),
    );
    expect([await rowsUsed(one), await rowsUsed(two)]).toEqual([16, 7]);
  });

  it("a failed charge of one account does not fail another account's in the same batch", async () => {
    const [poor, rich] = [await openCaller(10), await openCaller(1000)];
    const answers = await Promise.all([
      fits(context, poor, 11),
      fits(context, rich, 1000),
      fits(context, poor, 10),
    ]);
    expect(answers).toEqual([false, true, true]);
  });

  it("starts again with the month (UTC)", async () => {
    const caller = await openCaller(100);
    await chargeRows(context, caller, "api", 100);
    expect(await fits(context, caller, 1)).toBe(false);
    clock.set("2026-12-01T00:00:00Z");
    expect(await fits(context, caller, 100)).toBe(true);
    expect(await readUsage(context, caller)).toMatchObject({
      month_start: "2026-12-01",
      usage: { quota_rows: 100 },
    });
    clock.set(NOW);
    expect(await readUsage(context, caller)).toMatchObject({
      month_start: "2026-11-01",
      usage: { quota_rows: 100 },
    });
  });
});

describe("a refund", () => {
  it("refunds exactly the rows that were not delivered", async () => {
    const caller = await openCaller(1000);
    await chargeRows(context, caller, "api", 100);
    await chargeRows(context, caller, "export", 900);
    await refundRows(context, caller, 650, clock.now());
    expect((await readUsage(context, caller)).usage).toMatchObject({
      api_rows: 100,
      export_rows: 250,
      quota_rows: 350,
    });
    expect(await fits(context, caller, 651)).toBe(false);
    expect(await fits(context, caller, 650)).toBe(true);
  });

  it("goes to the month in which the rows were charged", async () => {
    const caller = await openCaller(1000);
    const chargedAt = clock.now();
    await chargeRows(context, caller, "export", 1000);
    clock.set("2026-12-01T00:00:10Z");
    await chargeRows(context, caller, "export", 1000);
    await refundRows(context, caller, 400, chargedAt);
    expect(await rowsUsed(caller)).toBe(1000);
    clock.set(NOW);
    expect(await rowsUsed(caller)).toBe(600);
  });

  it("never refunds more than was charged", async () => {
    const caller = await openCaller(1000);
    await expect(refundRows(context, caller, 1, clock.now())).rejects.toThrow("was charged nothing");
    await chargeRows(context, caller, "export", 5);
    await expect(refundRows(context, caller, 6, clock.now())).rejects.toThrow("usage_month_not_negative");
    expect(await rowsUsed(caller)).toBe(5);
  });
});
