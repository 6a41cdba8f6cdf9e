// The limit of watched carriers, and what they cost in a month.
import { describe, expect, it } from "vitest";
import { flushUsage } from "../../../../../src/accounts/usage/usage-counter.ts";
import { payEveryAccount } from "../../../../../src/watchlists/pay-for-month.ts";
import { closeAccount } from "../../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { setOwner } from "../../../../support/accounts.ts";
import { allowWrites, refuseWrites } from "../../../../support/database/refused-writes.ts";
import { memoryLog } from "../../../../support/memory-log.ts";
import { changeRows } from "../../../../support/rows.ts";
import {
  add,
  ask,
  create,
  listsOf,
  PLAN,
  remove,
  replace,
  rowsCounted,
  rowsUsed,
  type Schemas,
  service,
  usdotsOf,
  useWatching,
} from "./watching.ts";

useWatching();

describe("the limit of watched carriers", () => {
  it("counts each carrier once, holds among many requests, and changes nothing when it is reached", async () => {
    const { key: small } = await service.createAccount({
      ...PLAN,
      requestsPerMinute: 1_000,
      watchedCarriers: 5,
    });
    const [one, two] = [await create("One", small), await create("Two", small)];
    await add(one.id, { usdots: ["101", "102", "103"] }, { sender: small });
    await add(two.id, { usdots: ["101", "102", "103"] }, { sender: small });
    expect((await listsOf(small)).meta).toEqual({ watched_carriers: 3, watched_carriers_limit: 5 });
    const refused = await add(
      two.id,
      { usdots: ["101", "200", "201", "202"] },
      { sender: small, status: 400 },
    );
    expect(refused).toMatchObject({
      code: "watch_limit_reached",
      detail: "Your account would watch 6 carriers, and your plan allows 5. Nothing was changed.",
    });
    expect(await usdotsOf(two.id, small)).toEqual([101, 102, 103]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        service.send("POST", `/v1/watchlists/${at % 2 ? one.id : two.id}/carriers`, {
          key: small,
          body: { usdots: [String(210 + at)] },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect((await listsOf(small)).meta.watched_carriers).toBe(5);
    const usage = (await (await service.get("/v1/usage", small)).json()) as Schemas["UsageOut"];
    expect(usage.limits.watched_carriers).toBe(5);
  });

  // A nightly PUT of fewer carriers was refused, so that an account never came back to its smaller plan by it.
  it("of a smaller plan lets an account that watches more watch fewer, and no more", async () => {
    const { key: small, planCode } = await service.createAccount({ ...PLAN, watchedCarriers: 8 });
    const [one, two] = [await create("One", small), await create("Two", small)];
    await add(one.id, { usdots: ["101", "102", "103", "200"] }, { sender: small });
    await add(two.id, { usdots: ["200", "201", "202", "203"] }, { sender: small });
    await changeRows(service.context.db.pool, "plan", { watched_carriers: 3 }, { code: planCode });
    const more = { usdots: ["101", "102", "103", "200", "210"] };
    expect(await replace(one.id, more, { sender: small, status: 400 })).toMatchObject({
      code: "watch_limit_reached",
    });
    expect(await replace(one.id, { usdots: ["101", "210"] }, { sender: small })).toMatchObject({
      added: 1,
      removed: 3,
      carriers: 2,
    });
    expect(await add(one.id, { usdots: ["101"] }, { sender: small })).toMatchObject({ already: 1 });
    await add(one.id, { usdots: ["102"] }, { sender: small, status: 400 });
    expect((await listsOf(small)).meta).toEqual({ watched_carriers: 6, watched_carriers_limit: 3 });
    await replace(two.id, { usdots: [] }, { sender: small });
    expect((await listsOf(small)).meta.watched_carriers).toBe(2);
    await add(two.id, { usdots: ["201"] }, { sender: small });
    await add(two.id, { usdots: ["202"] }, { sender: small, status: 400 });
  });
});

describe("what watched carriers cost", () => {
  it("is a row for each in a month, on however many lists, also when it comes back", async () => {
    const { key: payer } = await service.createAccount(PLAN);
    const [one, two] = [await create("One", payer), await create("Two", payer)];
    await add(one.id, { usdots: ["101", "102"] }, { sender: payer });
    await add(two.id, { usdots: ["102", "103"] }, { sender: payer });
    await remove(one.id, { usdots: ["101"] }, { sender: payer });
    expect(await add(two.id, { usdots: ["101"] }, { sender: payer })).toMatchObject({
      added: 1,
      rows_charged: 0,
    });
    expect(await rowsUsed(payer)).toBe(3);
    await ask("deleteWatchlist", `DELETE /v1/watchlists/${one.id}`, { sender: payer, status: 204 });
    expect(await rowsUsed(payer)).toBe(3);
  });

  it("counts by key and is warned of alike with and without an idempotency key, once", async () => {
    const { prisma } = service.context.db;
    const fifteen = { usdots: Array.from({ length: 15 }, (_, at) => String(200 + at)) };
    for (const headers of [{}, { "Idempotency-Key": "add-15" }] as Record<string, string>[]) {
      const { key: sender, accountId } = await service.createAccount({ ...PLAN, rowsPerMonth: 17 });
      const recipient = `owner${accountId}@freight.example`;
      await setOwner(service.context, accountId, recipient);
      const { id } = await create("Warned", sender);
      for (let times = 0; times < 2; times++) await add(id, fifteen, { sender, headers });
      expect(await rowsCounted(sender)).toEqual([15, 15]);
      await flushUsage(service.context);
      // The service may be flushing the same counts itself just now.
      const mailed = async () =>
        (await prisma.mailOutbox.findMany({ where: { recipient } })).map(({ subject }) => subject);
      await expect.poll(mailed).toEqual(["80% of this month's rows are used"]);
    }
  });

  it("counts nothing when the charge is rolled back", async () => {
    const { key: sender } = await service.createAccount(PLAN);
    const { id } = await create("Rolled back", sender);
    const { pool } = service.context.db;
    await refuseWrites(pool, "idempotent_answer", "53100");
    const headers = { "Idempotency-Key": "add-1" };
    const refused = await add(id, { usdots: ["101"] }, { sender, headers, status: 503 });
    await allowWrites(pool, "idempotent_answer");
    expect(refused).toMatchObject({ code: "unavailable" });
    expect(await rowsCounted(sender)).toEqual([0, 0]);
    expect(await add(id, { usdots: ["101"] }, { sender, headers })).toMatchObject({ rows_charged: 1 });
    expect(await rowsCounted(sender)).toEqual([1, 1]);
  });

  it("is refused whole when the quota has too few rows", async () => {
    const { key: poor } = await service.createAccount({ ...PLAN, rowsPerMonth: 2 });
    const { id } = await create("Poor", poor);
    const refused = await add(id, { usdots: ["101", "102", "103"] }, { sender: poor, status: 429 });
    expect(refused).toMatchObject({ code: "quota_exceeded" });
    expect(await usdotsOf(id, poor)).toEqual([]);
    expect(await add(id, { usdots: ["101", "102"] }, { sender: poor })).toMatchObject({ rows_charged: 2 });
  });

  it("is exact among 50 requests at the edge of the quota", async () => {
    const { key: edge } = await service.createAccount({
      ...PLAN,
      requestsPerMinute: 1_000,
      rowsPerMonth: 20,
    });
    const { id } = await create("Edge", edge);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        service.send("POST", `/v1/watchlists/${id}/carriers`, {
          key: edge,
          body: { usdots: [String(200 + (at % 25))] },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(await usdotsOf(id, edge)).toHaveLength(20);
    expect(await rowsUsed(edge)).toBe(20);
  });

  it("is charged anew in each month, once by however many processes, without those that left", async () => {
    const { key: monthly, accountId } = await service.createAccount(PLAN);
    const { key: broke } = await service.createAccount({ ...PLAN, rowsPerMonth: 3 });
    const { id } = await create("Monthly", monthly);
    const { id: brokeList } = await create("Broke", broke);
    await add(id, { usdots: ["101", "102", "103"] }, { sender: monthly });
    await add(brokeList, { usdots: ["101", "102", "103"] }, { sender: broke });
    await remove(id, { usdots: ["103"] }, { sender: monthly });
    service.clock.set("2026-12-01T00:00:01Z");
    await service.context.db.prisma.plan.updateMany({
      where: { rowsPerMonth: 3 },
      data: { rowsPerMonth: 2 },
    });
    await Promise.all(Array.from({ length: 4 }, () => payEveryAccount(service.context)));
    expect(await rowsUsed(monthly)).toBe(2);
    expect(await rowsUsed(broke)).toBe(0);
    const refused = await service.get("/v1/carrier-changes", broke);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      503,
      "stale_source",
    ]);
    // Back on the list in a new month, it costs a row again.
    expect(await add(id, { usdots: ["103"] }, { sender: monthly })).toMatchObject({ rows_charged: 1 });
    const { rows } = await service.context.db.pool.query(
      "SELECT usdot, month FROM watched_carrier WHERE account_id = $1 ORDER BY usdot",
      [accountId],
    );
    expect(rows).toEqual([101, 102, 103].map((usdot) => ({ usdot, month: "2026-12-01" })));
    service.clock.set("2026-11-21T12:00:00Z");
  });

  it("goes on with the other accounts when one can't be charged, and says so", async () => {
    const [{ key: stuck, accountId: stuckId }, { key: other }] = [
      await service.createAccount(PLAN),
      await service.createAccount(PLAN),
    ];
    for (const key of [stuck, other])
      await add((await create("Monthly", key)).id, { usdots: ["101"] }, { sender: key });
    const { pool } = service.context.db;
    await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON watched_month FOR EACH ROW WHEN (NEW.account_id = ${stuckId})
      EXECUTE FUNCTION refuse()`);
    const { log, lines } = memoryLog();
    service.clock.set("2026-12-01T00:00:01Z");
    await payEveryAccount({ ...service.context, log });
    expect([await rowsUsed(stuck), await rowsUsed(other)]).toEqual([0, 1]);
    expect(lines()).toMatchObject([{ level: "error", accountIds: [stuckId] }]);
    await pool.query("DROP FUNCTION refuse CASCADE");
    service.clock.set("2026-11-21T12:00:00Z");
  });

  it("ends when the account is closed", async () => {
    const { key: closing, accountId } = await service.createAccount(PLAN);
    const { id } = await create("Closing", closing);
    await add(id, { usdots: ["101"] }, { sender: closing });
    await closeAccount(service.context, accountId, { erases: true });
    for (const table of ["watchlist", "watched_month", "watched_carrier"]) {
      const { rowCount } = await service.context.db.pool.query(`SELECT FROM ${table} WHERE account_id = $1`, [
        accountId,
      ]);
      expect(rowCount).toBe(0);
    }
  });
});
