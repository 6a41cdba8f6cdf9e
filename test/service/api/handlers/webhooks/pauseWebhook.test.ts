import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queueTestDelivery } from "../../../../../src/webhooks/deliveries/test-delivery.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { deliveriesOf, putDelivery } from "../../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

let service: TestService;
let key: string;
let accountId: number;
beforeAll(async () => {
  service = await startTestService();
  ({ accountId, key } = await service.createAccount({ requestsPerMinute: 1_000 }));
});
afterAll(() => service.stop());

const pause = (id: number) => service.send("DELETE", `/v1/webhooks/${id}`, { key });

async function endpoint(id: number) {
  const { data } = (await (await service.get("/v1/webhooks", key)).json()) as { data: { id: number }[] };
  return data.find((one) => one.id === id);
}

describe("DELETE /v1/webhooks/{endpoint_id}", () => {
  it("pauses the endpoint, which stays in the list", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    const answer = await pause(id);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await endpoint(id)).toMatchObject({ active: false, disabled_reason: "paused_by_customer" });
  });

  it("changes nothing when the endpoint is paused already, for any reason", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    await service.context.db.prisma.webhookEndpoint.update({
      where: { id },
      data: { active: false, disabledReason: "too_many_failures", failureStreak: 20, pausedAt: new Date(0) },
    });
    const before = await service.context.db.prisma.webhookEndpoint.findUnique({ where: { id } });
    expect([(await pause(id)).status, (await pause(id)).status]).toEqual([204, 204]);
    expect(await service.context.db.prisma.webhookEndpoint.findUnique({ where: { id } })).toEqual(before);
  });

  it("cancels queued deliveries, and keeps the history and test deliveries", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    const statuses = ["delivered", "queued", "failed", "queued"];
    for (const status of statuses) {
      const [eventId = 0] = await putEvents(service.context.db, [{}]);
      await putDelivery(service.context, { endpointId: id, eventId, status });
    }
    await queueTestDelivery(service.context, accountId, id);
    service.clock.advance(1_000);
    expect((await pause(id)).status).toBe(204);
    const deliveries = await deliveriesOf(service.context, id);
    expect(deliveries.map(({ status }) => status)).toEqual([
      "delivered",
      "cancelled",
      "failed",
      "cancelled",
      "queued",
    ]);
    for (const one of deliveries.filter(({ status }) => status === "cancelled")) {
      expect(one).toMatchObject({ cancel_reason: "paused", finished_at: service.clock.now() });
    }
  });

  it("keeps the queued deliveries of the account's other endpoints", async () => {
    const [one, other] = [
      await registerEndpoint(service.context, accountId),
      await registerEndpoint(service.context, accountId),
    ];
    await putDelivery(service.context, { endpointId: other.id });
    await pause(one.id);
    expect(await deliveriesOf(service.context, other.id)).toMatchObject([{ status: "queued" }]);
    expect(await endpoint(other.id)).toMatchObject({ active: true });
  });
});

describe("DELETE /v1/webhooks/{endpoint_id}?permanent=true", () => {
  it("deletes the endpoint with its history, also a paused one; then it is unknown", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    const delivery = await putDelivery(service.context, { endpointId: id, status: "delivered" });
    await pause(id);
    const remove = () => service.send("DELETE", `/v1/webhooks/${id}?permanent=true`, { key });
    expect((await remove()).status).toBe(204);
    expect(await endpoint(id)).toBeUndefined();
    for (const end of ["", "/deliveries", `/deliveries/${delivery}`]) {
      expect((await service.get(`/v1/webhooks/${id}${end}`, key)).status).toBe(404);
    }
    expect((await remove()).status).toBe(404);
  });
});
