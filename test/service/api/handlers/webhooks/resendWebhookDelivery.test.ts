import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setPlan } from "../../../../../src/accounts/accounts.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { removeBusinesses } from "../../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { deliveriesOf, putDelivery } from "../../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

let service: TestService;
let key: string;
let accountId: number;
beforeAll(async () => {
  service = await startTestService();
  ({ accountId, key } = await service.createAccount({
    requestsPerMinute: 1_000,
    feeds: { us_new_authority_weekly: null, us_small_carriers_active: null },
  }));
});
afterAll(() => service.stop());

async function resend(endpointId: number, deliveryId: number) {
  const path = `/v1/webhooks/${endpointId}/deliveries/${deliveryId}/resend`;
  const answer = await service.send("POST", path, { key });
  return { status: answer.status, body: (await answer.json()) as { code?: string } };
}

async function ended({ usdot = 4312907, status = "failed", isTest = false } = {}) {
  const { id: endpointId } = await registerEndpoint(service.context, accountId);
  const [eventId = 0] = await putEvents(service.context.db, [{ usdot }]);
  const id = await putDelivery(service.context, { endpointId, eventId, status, isTest });
  return { endpointId, id };
}

describe("POST /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/resend", () => {
  it("queues a delivery again, due now, however it ended; a second request changes nothing", async () => {
    for (const status of ["failed", "delivered", "cancelled"]) {
      const { endpointId, id } = await ended({ status });
      for (let time = 0; time < 2; time += 1) {
        expect(await resend(endpointId, id)).toEqual({
          status: 202,
          body: { delivery_id: id, endpoint_id: endpointId, status: "queued" },
        });
      }
      expect(await deliveriesOf(service.context, endpointId)).toMatchObject([
        { id, status: "queued", due_at: service.clock.now() },
      ]);
    }
  });

  it("sends nothing to a paused endpoint", async () => {
    const { endpointId, id } = await ended();
    await service.send("DELETE", `/v1/webhooks/${endpointId}`, { key });
    expect(await resend(endpointId, id)).toMatchObject({ status: 409, body: { code: "endpoint_paused" } });
  });

  it("does not send an event type that the endpoint no longer has", async () => {
    const { endpointId, id } = await ended();
    const body = { event_types: ["reinstated"] };
    await service.send("PATCH", `/v1/webhooks/${endpointId}`, { key, body });
    expect(await resend(endpointId, id)).toMatchObject({ status: 409, body: { code: "not_subscribed" } });
  });

  it("finds no delivery of an event that the plan does not include any more", async () => {
    const { endpointId, id } = await ended();
    const { pool } = service.context.db;
    const { planCode } = await service.createAccount({ feeds: { us_new_authority_weekly: ["CA"] } });
    const before = await pool.query("SELECT plan_code FROM account WHERE id = $1", [accountId]);
    await setPlan(service.context, accountId, planCode);
    expect(await resend(endpointId, id)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await deliveriesOf(service.context, endpointId))[0]?.status).toBe("failed");
    await setPlan(service.context, accountId, before.rows[0].plan_code);
    expect(await resend(endpointId, id)).toMatchObject({ status: 202 });
  });

  it("answers alike for a removed business, a test and no delivery", async () => {
    const removed = await ended({ usdot: 4312999 });
    await removeBusinesses(service.context.db, [4312999]);
    const test = await ended({ isTest: true });
    const missing = await resend(removed.endpointId, 1_000_000);
    expect(missing).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await resend(removed.endpointId, removed.id)).toEqual(missing);
    expect(await resend(test.endpointId, test.id)).toEqual(missing);
    expect((await deliveriesOf(service.context, removed.endpointId))[0]?.status).toBe("failed");
  });
});
