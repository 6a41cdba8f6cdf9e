// Deliveries of changes of watched carriers, to endpoints that ask for them.
import { describe, expect, it } from "vitest";
import { fanOutChanges } from "../../../../src/generated/sql/webhooks/queue.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { openTestContext } from "../../../support/context.ts";
import { changeRows } from "../../../support/rows.ts";
import {
  accountId,
  ask,
  outcomesOf,
  planCode,
  put,
  queuedFor,
  register,
  service,
  useWatchedCarriers,
} from "./watched-changes.ts";

useWatchedCarriers();

describe("the changes of watched carriers", () => {
  it("that are queued are cancelled when the endpoint asks for none any more, also when it asks again", async () => {
    const endpoint = await register();
    await put({ usdot: 101 });
    await fanOut(service.context);
    await ask("PATCH", `webhooks/${endpoint.id}`, { changes: false });
    await ask("PATCH", `webhooks/${endpoint.id}`, { changes: true });
    expect(await outcomesOf(endpoint)).toEqual(["unsubscribed"]);
  });

  it("wait for nobody who has not paid for what it watches this month", async () => {
    const endpoint = await register();
    await service.context.db.prisma.watchedMonth.update({
      where: { accountId },
      data: { month: new Date("2026-10-01") },
    });
    const [paid] = await put({ usdot: 101 });
    await fanOut(service.context);
    expect(await queuedFor(endpoint)).toEqual([paid]);
    await service.context.db.prisma.plan.update({ where: { code: planCode }, data: { rowsPerMonth: 1 } });
    await changeRows(service.context.db.pool, "watched_carrier", { month: "2026-10-01" });
    await service.context.db.prisma.watchedMonth.update({
      where: { accountId },
      data: { month: new Date("2026-10-01") },
    });
    await put({ usdot: 101 });
    await fanOut(service.context);
    expect(await queuedFor(endpoint)).toEqual([paid]);
  });

  it("are all queued, in their order, by statements that end early", async () => {
    const endpoints = [await register(), await register(), await register()];
    const ids = await put(...[101, 104, 102, 103, 104, 101].map((usdot) => ({ usdot })));
    const { db, clock } = service.context;
    const steps: number[] = [];
    for (let taken = 1; taken > 0; ) {
      const bounds = { now: clock.now(), month: "2026-11-01", mostChanges: 4, mostDeliveries: 2 };
      const row = await fanOutChanges(db.pool, bounds);
      taken = row?.taken ?? 0;
      steps.push(row?.deliveries ?? 0);
    }
    expect(steps).toEqual([3, 3, 3, 3, 0]);
    for (const endpoint of endpoints)
      expect(await queuedFor(endpoint)).toEqual([ids[0], ids[2], ids[3], ids[5]]);
  });

  it("are queued once for each endpoint, with several processes, while changes are written", async () => {
    const endpoints = await Promise.all(Array.from({ length: 4 }, () => register()));
    const other = await openTestContext(service.context.config.databaseUrl ?? "", service.clock);
    let isWriting = true;
    const fanning = Promise.all(
      [service.context, other].map(async (context) => {
        while (isWriting) await fanOut(context);
      }),
    );
    const ids: number[] = [];
    for (let part = 0; part < 20; part++)
      ids.push(...(await put(...Array.from({ length: 25 }, (_, at) => ({ usdot: 101 + (at % 3) })))));
    isWriting = false;
    await fanning;
    await fanOut(service.context);
    for (const { id } of endpoints) {
      const { rows } = await service.context.db.pool.query<{ change_id: number }>(
        "SELECT change_id FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id",
        [id],
      );
      expect(rows.map(({ change_id }) => change_id)).toEqual(ids);
    }
    await other.db.close();
  });
});
