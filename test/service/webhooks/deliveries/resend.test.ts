import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../../src/platform/context.ts";
import { fanOut } from "../../../../src/webhooks/deliveries/fan-out.ts";
import { resendDelivery } from "../../../../src/webhooks/deliveries/resend.ts";
import { openAccount } from "../../../support/accounts.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { putEvents } from "../../../support/events/events.ts";
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
  const { rows } = await context.db.pool.query<{ id: number }>(
    "UPDATE webhook_delivery SET status = 'delivered', finished_at = '2026-11-21T12:00Z', attempt = 1 RETURNING id",
  );
  deliveryId = rows[0]?.id ?? 0;
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

describe("sending a delivery again", () => {
  it("does not wait for a dispatcher that records the delivery, since that locks the endpoint next", async () => {
    const answer = await context.db.transaction(async (dispatcher) => {
      await dispatcher.query("SELECT FROM webhook_delivery WHERE id = $1 FOR NO KEY UPDATE", [deliveryId]);
      return resendDelivery(context, accountId, deliveryId);
    });
    expect(answer).toBe("under_way");
    expect(await resendDelivery(context, accountId, deliveryId)).toBe("queued");
  });

  it("finds no delivery of another account", async () => {
    expect(await resendDelivery(context, accountId + 1, deliveryId)).toBe("not_found");
  });
});
