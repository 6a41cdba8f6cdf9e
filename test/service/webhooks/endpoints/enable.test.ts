import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../../src/platform/context.ts";
import { enableEndpoint } from "../../../../src/webhooks/endpoints/enable.ts";
import { pauseByCustomer } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { openAccount } from "../../../support/accounts.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { putEvents } from "../../../support/events/events.ts";
import { deliveriesOf, putDelivery } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

let database: TestDatabase;
let context: Context;
beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-21T12:00:00Z"));
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

const PLAN = { feeds: { us_new_authority_weekly: null } };

const rowOf = (id: number) => context.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id } });

async function pausedEndpoint(accountId: number): Promise<number> {
  const { id } = await registerEndpoint(context, accountId);
  await pauseByCustomer(context, accountId, id);
  return id;
}

describe("registering and enabling", () => {
  it("begin with the events that come after", async () => {
    const { accountId } = await openAccount(context, PLAN);
    const [seen = 0] = await putEvents(context.db, [{}]);
    const { id } = await registerEndpoint(context, accountId);
    expect((await rowOf(id)).afterEventId).toBe(BigInt(seen));
    await pauseByCustomer(context, accountId, id);
    const [meanwhile = 0] = await putEvents(context.db, [{}]);
    expect(await enableEndpoint(context, { endpointId: id })).toBe("enabled");
    expect((await rowOf(id)).afterEventId).toBe(BigInt(meanwhile));
  });
});

describe("enabling", () => {
  it("lets the first delivery of all be sent", async () => {
    const fresh = await createTestDatabase();
    const first = await openTestContext(fresh.url, context.clock);
    const { accountId } = await openAccount(first, PLAN);
    const { id } = await registerEndpoint(first, accountId);
    await pauseByCustomer(first, accountId, id);
    await enableEndpoint(first, { endpointId: id });
    await putEvents(first.db, [{}]);
    await fanOut(first);
    expect(await deliveriesOf(first, id)).toMatchObject([{ status: "queued" }]);
    await first.db.close();
    await fresh.drop();
  });

  it("resets the reason of the pause and the failures, and keeps cancelled deliveries", async () => {
    const { accountId } = await openAccount(context, PLAN);
    const { id } = await registerEndpoint(context, accountId);
    await putDelivery(context, { endpointId: id });
    await pauseByCustomer(context, accountId, id);
    await context.db.prisma.webhookEndpoint.update({
      where: { id },
      data: { failureStreak: 20, disabledReason: "too_many_failures" },
    });
    expect(await enableEndpoint(context, { endpointId: id, accountId })).toBe("enabled");
    expect(await rowOf(id)).toMatchObject({
      active: true,
      failureStreak: 0,
      disabledReason: null,
      pausedAt: null,
    });
    expect(await deliveriesOf(context, id)).toMatchObject([{ status: "cancelled" }]);
  });

  it("changes nothing of an active endpoint, not even its failures", async () => {
    const { accountId } = await openAccount(context, PLAN);
    const { id } = await registerEndpoint(context, accountId);
    await context.db.prisma.webhookEndpoint.update({ where: { id }, data: { failureStreak: 7 } });
    const before = await rowOf(id);
    await putEvents(context.db, [{}]);
    expect(await enableEndpoint(context, { endpointId: id, accountId })).toBe("was_active");
    expect(await rowOf(id)).toEqual(before);
  });

  it("finds no endpoint of another account, and no unknown one", async () => {
    const [one, other] = [await openAccount(context, PLAN), await openAccount(context, PLAN)];
    const id = await pausedEndpoint(other.accountId);
    const enable = (endpointId: number) => enableEndpoint(context, { endpointId, accountId: one.accountId });
    for (const endpointId of [id, 1_000_000, 2 ** 31, 2 ** 53 - 1]) {
      expect(await enable(endpointId)).toBe("not_found");
    }
    expect((await rowOf(id)).active).toBe(false);
  });

  it("leaves it paused if the plan has nothing for it: a dispatcher would pause it again at once", async () => {
    for (const plan of [{ feeds: { us_insurance_lapse_alerts: null } }, { ...PLAN, apiAccess: false }]) {
      const { accountId } = await openAccount(context, plan);
      const id = await pausedEndpoint(accountId);
      expect(await enableEndpoint(context, { endpointId: id, accountId })).toBe("not_in_plan");
      expect((await rowOf(id)).active).toBe(false);
    }
  });

  it("keeps the limit of 20 active endpoints, even against concurrent registrations", async () => {
    const { accountId } = await openAccount(context, PLAN);
    const paused: number[] = [];
    while (paused.length < 15) paused.push(await pausedEndpoint(accountId));
    const outcomes = await Promise.all([
      ...paused.map((endpointId) => enableEndpoint(context, { endpointId, accountId })),
      ...paused.map(() => registerEndpoint(context, accountId).catch((error) => error.code)),
    ]);
    expect(await context.db.prisma.webhookEndpoint.count({ where: { accountId, active: true } })).toBe(20);
    const refused = (outcome: unknown) => outcome === "limit_reached" || outcome === "endpoint_limit_reached";
    expect(outcomes.filter(refused)).toHaveLength(10);
  });
});
