import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { putEvents } from "../../../../support/events/events.ts";
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
    feeds: { us_new_authority_weekly: null, us_brokers: null },
  }));
});
afterAll(() => service.stop());

async function patch(id: number, body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await service.send("PATCH", `/v1/webhooks/${id}`, { key, body });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe("PATCH /v1/webhooks/{endpoint_id}", () => {
  it("changes the members that are named, and no others", async () => {
    const { id } = await registerEndpoint(service.context, accountId, { description: "Old" });
    const before = (await patch(id, {})).body;
    expect(await patch(id, { description: " New " })).toEqual({
      status: 200,
      body: { ...before, description: "New" },
    });
    expect((await patch(id, { description: null })).body).toEqual({ ...before, description: null });
    const url = "https://hooks.example.com/other";
    expect((await patch(id, { url })).body).toMatchObject({ url, event_types: ["new_authority_granted"] });
  });

  it("cancels queued deliveries of the event types that it removes", async () => {
    const types = ["new_authority_granted", "reinstated"] as const;
    const { id } = await registerEndpoint(service.context, accountId, { event_types: [...types] });
    const [eventId = 0] = await putEvents(service.context.db, [{}]);
    await putDelivery(service.context, { endpointId: id, eventId });
    expect((await patch(id, { event_types: ["reinstated"] })).body).toMatchObject({
      event_types: ["reinstated"],
    });
    expect(await deliveriesOf(service.context, id)).toMatchObject([
      { status: "cancelled", cancel_reason: "unsubscribed" },
    ]);
  });

  it("replaces all filters, removes them with null, and leaves them alone when they are not named", async () => {
    const { id } = await registerEndpoint(service.context, accountId, { filters: { states: ["TX"] } });
    const filters = { usdots: ["04312907", "4312907"], trucks_min: 0 };
    expect((await patch(id, { filters })).body.filters).toEqual({ usdots: ["4312907"], trucks_min: 0 });
    expect((await patch(id, { description: "Both" })).body.filters).toEqual({
      usdots: ["4312907"],
      trucks_min: 0,
    });
    expect((await patch(id, { filters: { states: ["ok", "OK", "TX"] } })).body.filters).toEqual({
      states: ["OK", "TX"],
    });
    expect((await patch(id, { filters: {} })).body.filters).toBeNull();
    await patch(id, { filters: { authority_types: ["broker"], trucks_max: 9 } });
    expect((await patch(id, { filters: null })).body.filters).toBeNull();
  });

  it("refuses filters that could never fit, and changes nothing", async () => {
    const { id } = await registerEndpoint(service.context, accountId, { filters: { states: ["TX"] } });
    const before = (await patch(id, {})).body;
    const refused: [object, (string | number)[]][] = [
      [{ states: ["TX", "ZZ"] }, ["states", 1]],
      [{ states: [] }, ["states"]],
      [{ usdots: ["12a"] }, ["usdots", 0]],
      [{ authority_types: ["passenger"] }, ["authority_types", 0]],
      [{ trucks_min: 5, trucks_max: 4 }, ["trucks_max"]],
      [{ trucks_min: null }, ["trucks_min"]],
      [{ cities: ["Austin"] }, ["cities"]],
    ];
    for (const [filters, at] of refused) {
      const { status, body } = await patch(id, { filters, description: "New" });
      expect(status).toBe(422);
      expect(body.detail).toMatchObject([{ loc: ["body", "filters", ...at] }]);
    }
    expect((await patch(id, {})).body).toEqual(before);
  });

  it("changes the payload, and shows it", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    expect((await patch(id, {})).body.payload).toBe("full");
    expect((await patch(id, { payload: "thin" })).body.payload).toBe("thin");
    expect((await patch(id, { description: "ids" })).body.payload).toBe("thin");
    expect((await patch(id, { payload: "fat" })).status).toBe(422);
  });

  it("changes whether Retry-After is honoured, and shows it", async () => {
    const { id } = await registerEndpoint(service.context, accountId, { honor_retry_after: true });
    expect((await patch(id, { description: "Slow" })).body.honor_retry_after).toBe(true);
    expect((await patch(id, { honor_retry_after: false })).body.honor_retry_after).toBe(false);
    expect((await patch(id, { description: "Fast" })).body.honor_retry_after).toBe(false);
    expect((await patch(id, { honor_retry_after: "yes" })).status).toBe(422);
    expect((await patch(id, { corrections: true })).body.corrections).toBe(true);
    expect((await patch(id, { description: "Both" })).body.corrections).toBe(true);
    expect((await patch(id, { corrections: false })).body.corrections).toBe(false);
  });

  it("pauses with active false, and enables with active true", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    const off = { active: false, disabled_reason: "paused_by_customer" };
    for (let time = 0; time < 2; time += 1) {
      expect((await patch(id, { active: false })).body).toMatchObject(off);
    }
    await service.context.db.prisma.webhookEndpoint.update({ where: { id }, data: { failureStreak: 20 } });
    for (let time = 0; time < 2; time += 1) {
      expect((await patch(id, { active: true })).body).toMatchObject({
        active: true,
        disabled_reason: null,
        failure_streak: 0,
      });
    }
  });

  it("changes nothing when one member is refused", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    const before = (await patch(id, { active: false })).body;
    await service.context.db.prisma.webhookEndpoint.update({
      where: { id },
      data: { eventTypes: ["revocation_pending"] },
    });
    const refused = await patch(id, { description: "New", active: true });
    expect([refused.status, refused.body.code]).toEqual([400, "event_type_not_in_plan"]);
    const mixed = await patch(id, { description: "New", url: "http://hooks.example.com/in" });
    expect([mixed.status, mixed.body.code]).toEqual([400, "invalid_url"]);
    expect((await patch(id, {})).body).toEqual({ ...before, event_types: ["revocation_pending"] });
  });

  it("enables an endpoint when it asks for event types of the plan in the same request", async () => {
    const { id } = await registerEndpoint(service.context, accountId);
    await service.context.db.prisma.webhookEndpoint.update({
      where: { id },
      data: { eventTypes: ["revocation_pending"], active: false, disabledReason: "plan_changed" },
    });
    expect(await patch(id, { event_types: ["reinstated"], active: true })).toMatchObject({
      status: 200,
      body: { active: true, event_types: ["reinstated"] },
    });
  });
});
