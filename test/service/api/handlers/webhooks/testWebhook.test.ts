import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pauseByCustomer } from "../../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { putEvents, setDetection } from "../../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { deliveriesOf } from "../../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";

let service: TestService;
let key: string;
let accountId: number;
let id: number;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  ({ accountId, key } = await service.createAccount({
    requestsPerMinute: 10_000,
    feeds: { us_new_authority_weekly: null },
  }));
  ({ id } = await registerEndpoint(service.context, accountId, {
    event_types: ["reinstated", "new_authority_granted"],
  }));
});
afterAll(() => service.stop());

const test = (endpointId = id) => service.send("POST", `/v1/webhooks/${endpointId}/test`, { key });
const statusesOf = (answers: Response[]) => answers.map(({ status }) => status).sort();
const waitOf = (answer: Response) => Number(answer.headers.get("Retry-After"));

describe("POST /v1/webhooks/{endpoint_id}/test", () => {
  it("queues a delivery of the endpoint's first event type, due at once", async () => {
    const answer = await test();
    expect(answer.status).toBe(202);
    const [delivery, ...others] = await deliveriesOf(service.context, id);
    expect(await answer.json()).toEqual({ delivery_id: delivery?.id, endpoint_id: id, status: "queued" });
    const now = service.clock.now();
    expect(delivery).toMatchObject({
      is_test: true,
      event_type: "reinstated",
      status: "queued",
      due_at: now,
      created_at: now,
    });
    expect(others).toEqual([]);
  });

  it("does not count tests dated far ahead by a wrong clock", async () => {
    const statuses = async (count: number) =>
      statusesOf(await Promise.all(Array.from({ length: count }, () => test())));
    service.clock.advance(3_600_000);
    expect(await statuses(7)).toEqual([202, 202, 202, 202, 202, 202, 429]);
    service.clock.advance(-3_600_000);
    expect(await statuses(7)).toEqual([202, 202, 202, 202, 202, 202, 429]);
  });

  it("queues one for a paused endpoint too", async () => {
    await pauseByCustomer(service.context, accountId, id);
    expect((await test()).status).toBe(202);
    expect(await deliveriesOf(service.context, id)).toMatchObject([{ status: "queued" }]);
  });

  it("uses a number that no event has or will have, and does not disturb readers of events", async () => {
    await setDetection(service.context.db, { finishedAt: "2026-11-21T11:00:00Z", asOf: "2026-11-20" });
    const read = async (query: string) => {
      const answer = await service.get(`/v1/events?type=new_authority_granted&${query}`, key);
      expect(answer.status).toBe(200);
      return (await answer.json()) as { data: { id: number }[]; meta: { resume_cursor: string } };
    };
    const [before = 0] = await putEvents(service.context.db, [{}]);
    const { meta } = await read("limit=1000");
    await test();
    await test();
    expect((await read(`cursor=${meta.resume_cursor}`)).data).toEqual([]);
    const [after = 0] = await putEvents(service.context.db, [{}]);
    const numbers = (await deliveriesOf(service.context, id)).map(({ event_id }) => event_id);
    expect([before, ...numbers, after]).toEqual([before, before + 1, before + 2, before + 3]);
    expect((await read(`cursor=${meta.resume_cursor}`)).data.map((event) => event.id)).toEqual([after]);
  });

  it("queues exactly 6 of 30 that come at once, and says when the next may come", async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => test()));
    expect(statusesOf(answers)).toEqual([...Array(6).fill(202), ...Array(24).fill(429)]);
    expect(await deliveriesOf(service.context, id)).toHaveLength(6);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(refused && waitOf(refused)).toBe(60);
    expect(await refused?.json()).toMatchObject({
      code: "rate_limited",
      detail:
        "The limit is 6 test deliveries a minute for an endpoint, and 120 for all endpoints of an account. Try again in 60 s.",
    });
  });

  it("accepts the next one after the Retry-After, and not before", async () => {
    for (let sent = 0; sent < 6; sent++) {
      expect((await test()).status).toBe(202);
      service.clock.advance(7_300);
    }
    const waitSeconds = waitOf(await test());
    // The first one was sent 43.8 s ago.
    expect(waitSeconds).toBe(17);
    service.clock.advance((waitSeconds - 1) * 1_000);
    expect(waitOf(await test())).toBe(1);
    service.clock.advance(1_000);
    expect((await test()).status).toBe(202);
    expect((await test()).status).toBe(429);
  });

  it("counts each endpoint separately, and 120 a minute over all of an account", async () => {
    const asking: number[] = [id];
    while (asking.length < 20) asking.push((await registerEndpoint(service.context, accountId)).id);
    for (const endpointId of asking) {
      const answers = await Promise.all(Array.from({ length: 7 }, () => test(endpointId)));
      expect(statusesOf(answers)).toEqual([...Array(6).fill(202), 429]);
    }
    // The number of paused endpoints is unlimited: they must not allow to flood an address.
    await pauseByCustomer(service.context, accountId, id);
    const { id: another } = await registerEndpoint(service.context, accountId);
    const refused = await test(another);
    expect([refused.status, waitOf(refused)]).toEqual([429, 60]);
    service.clock.advance(60_000);
    expect((await test(another)).status).toBe(202);
  });
});
