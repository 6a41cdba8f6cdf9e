import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../../src/platform/context.ts";
import { resendDelivery } from "../../../../src/webhooks/deliveries/resend.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { openAccount } from "../../../support/accounts.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { putEvents } from "../../../support/events/events.ts";
import { putResult, putRetry } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

let database: TestDatabase;
let context: Context;
let accountId: number;
let deliveryId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-21T12:00:00Z"));
  ({ accountId } = await openAccount(context, { feeds: { us_new_authority_weekly: null } }));
  await registerEndpoint(context, accountId);
  await putEvents(context.db, [{}]);
  await fanOut(context);
  const { rows } = await context.db.pool.query<{ id: number }>("SELECT id FROM webhook_delivery");
  deliveryId = rows[0]?.id ?? 0;
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

const retries = async () =>
  (await context.db.pool.query("SELECT attempt, failures, due_at FROM webhook_retry")).rows;

describe("sending a delivery again", () => {
  it("queues one that has ended, once, with the next number of attempt, and none that is due already", async () => {
    expect(await resendDelivery(context, accountId, deliveryId)).toBe("under_way");
    await putResult(context, deliveryId, { outcome: "delivered" });
    const results = await Promise.all([1, 2, 3].map(() => resendDelivery(context, accountId, deliveryId)));
    expect(results.sort()).toEqual(["queued", "under_way", "under_way"]);
    expect(await retries()).toEqual([{ attempt: 2, failures: 0, due_at: context.clock.now() }]);
  });

  it("queues one that waits for a later attempt at once, with its whole retry schedule", async () => {
    const dueAt = new Date(context.clock.now().getTime() + 3_600_000);
    await putRetry(context, deliveryId, { dueAt, failures: 3, attempt: 5 });
    expect(await resendDelivery(context, accountId, deliveryId)).toBe("queued");
    expect(await retries()).toEqual([{ attempt: 5, failures: 0, due_at: context.clock.now() }]);
  });

  it("finds no delivery of another account", async () => {
    expect(await resendDelivery(context, accountId + 1, deliveryId)).toBe("not_found");
  });
});
