import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setPlan } from "../../../../../src/accounts/accounts.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { removeBusinesses } from "../../../../support/removals/removals.ts";
import { changeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { putDelivery } from "../../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

const [USDOT, REMOVED] = [4312907, 4312908];

let service: TestService;
let key: string;
let endpointId: number;
beforeAll(async () => {
  service = await startTestService();
  const account = await service.createAccount({
    requestsPerMinute: 1_000,
    feeds: { us_new_authority_weekly: null },
  });
  key = account.key;
  endpointId = (await registerEndpoint(service.context, account.accountId)).id;
});
afterAll(() => service.stop());

async function read(deliveryId: number) {
  const answer = await service.get(`/v1/webhooks/${endpointId}/deliveries/${deliveryId}`, key);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe("GET /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}", () => {
  it("shows the body that is sent, and the signature of each attempt", async () => {
    const [eventId = 0] = await putEvents(service.context.db, [{ usdot: USDOT }]);
    const id = await putDelivery(service.context, { endpointId, eventId, status: "delivered" });
    const { status, body } = await read(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ delivery_id: id, endpoint_id: endpointId, event_id: `evt_${eventId}` });
    expect(JSON.parse(String(body.body))).toMatchObject({
      id: `evt_${eventId}`,
      data: { usdot: String(USDOT) },
    });
    expect(body.attempts).toMatchObject([
      { attempt: 1, signature: expect.stringMatching(/^t=\d+,v1=\w{64}$/) },
    ]);
  });

  it("shows no body of a business that was removed", async () => {
    const [eventId = 0] = await putEvents(service.context.db, [{ usdot: REMOVED }]);
    const id = await putDelivery(service.context, { endpointId, eventId, status: "delivered" });
    expect(String((await read(id)).body.body)).toContain(String(REMOVED));
    await removeBusinesses(service.context.db, [REMOVED]);
    const { status, body } = await read(id);
    expect([status, body.body]).toEqual([200, null]);
    expect(JSON.stringify(body)).not.toContain(String(REMOVED));
  });

  it("shows the thin body of an endpoint that gets ids only, and none of a business that was removed", async () => {
    const { db } = service.context;
    await changeRows(db.pool, "webhook_endpoint", { payload: "thin" }, { id: endpointId });
    const [eventId = 0] = await putEvents(db, [{ usdot: 4_312_909 }]);
    const id = await putDelivery(service.context, { endpointId, eventId, status: "delivered" });
    const { body } = await read(id);
    expect(JSON.parse(String(body.body))).toEqual({
      id: `evt_${eventId}`,
      type: "new_authority_granted",
      created: "2026-11-20T11:20:05.000Z",
      data: { event_url: expect.stringMatching(new RegExp(`^http.*/v1/events/${eventId}$`)) },
    });
    expect(body.attempts).toMatchObject([{ standard_signature: null }]);
    await removeBusinesses(db, [4_312_909]);
    expect((await read(id)).body.body).toBeNull();
    await changeRows(db.pool, "webhook_endpoint", { payload: "full" }, { id: endpointId });
  });

  it("shows no body of an event that the plan does not include any more, but the test deliveries", async () => {
    const { accountId, key: own } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    const { id: endpoint } = await registerEndpoint(service.context, accountId);
    const [eventId = 0] = await putEvents(service.context.db, [{ state: "TX" }]);
    const ids = [
      await putDelivery(service.context, { endpointId: endpoint, eventId, status: "cancelled" }),
      await putDelivery(service.context, {
        endpointId: endpoint,
        eventId: 9,
        status: "failed",
        isTest: true,
      }),
    ];
    const bodies = async () => {
      const read = ids.map(async (id) => {
        const answer = await service.get(`/v1/webhooks/${endpoint}/deliveries/${id}`, own);
        return ((await answer.json()) as { body: string | null }).body;
      });
      return Promise.all(read);
    };
    expect(await bodies()).toEqual([expect.stringContaining("TX"), expect.stringContaining("evt_9")]);
    const { planCode } = await service.createAccount({ feeds: { us_new_authority_weekly: ["CA"] } });
    await setPlan(service.context, accountId, planCode);
    expect(await bodies()).toEqual([null, expect.stringContaining("evt_9")]);
  });

  it("shows a test delivery", async () => {
    const id = await putDelivery(service.context, { endpointId, eventId: 9, status: "failed", isTest: true });
    expect((await read(id)).body).toMatchObject({ is_test: true, body: expect.stringContaining("evt_9") });
  });
});
