import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { putEvents } from "../../../support/events/events.ts";
import { removeBusinesses } from "../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import {
  LOOPBACK_ENV,
  quieten,
  startTestDispatcher,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Received, type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

const EVENT = { usdot: 7_200_001, docket: "MC720001", data: { legal_name: "VANISHING FREIGHT LLC" } };

let service: TestService;
let receiver: Receiver;
let dispatcher: Dispatcher;
let key: string;
let accountId: number;

beforeAll(async () => {
  service = await startTestService({ env: LOOPBACK_ENV });
  receiver = await startReceiver();
  const feeds = { us_new_authority_weekly: null };
  ({ accountId, key } = await service.createAccount({ feeds, requestsPerMinute: 1_000 }));
});
beforeEach(async () => {
  await quieten(service.context);
  receiver.received.length = 0;
  receiver.answerWith(() => 204);
  dispatcher = startTestDispatcher(service.context);
  return () => dispatcher.stop();
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

const bodyOf = ({ body }: Received) => JSON.parse(body.toString()) as { data: Record<string, unknown> };

const endpoint = async (payload: "full" | "thin") =>
  (await registerEndpoint(service.context, accountId, { url: `${receiver.url}/in`, payload })).id;

/** Reads the address in a thin delivery; the test service listens on a port of its own. */
const statusAt = async (eventUrl: unknown): Promise<number> =>
  (await service.get(new URL(String(eventUrl)).pathname, key)).status;

describe("a thin delivery", () => {
  it("shows nothing of the business, and leads to nothing when that is removed before the event is read", async () => {
    const id = await endpoint("thin");
    await putEvents(service.context.db, [EVENT]);
    await receiver.arrival(1);
    await untilIdle(service.context);
    const [received] = receiver.received as [Received];
    const { data } = bodyOf(received);
    // The letters of this signature come by chance, and may be those of a state.
    const { "webhook-signature": _, ...headers } = received.headers;
    const shown = JSON.stringify([headers, received.body.toString()]);
    for (const fact of ["7200001", "MC720001", "VANISHING", "TX", "2026-11-19"])
      expect(shown).not.toContain(fact);
    expect(data).toEqual({ event_url: expect.stringMatching(/\/v1\/events\/\d+$/) });
    expect(await statusAt(data.event_url)).toBe(200);
    await removeBusinesses(service.context.db, [EVENT.usdot]);
    expect(await statusAt(data.event_url)).toBe(404);
    const [delivery] = await deliveriesOf(service.context, id);
    const detail = await service.get(`/v1/webhooks/${id}/deliveries/${delivery?.id}`, key);
    expect(await detail.json()).toMatchObject({ status: "delivered", body: null });
    const again = await service.send("POST", `/v1/webhooks/${id}/deliveries/${delivery?.id}/resend`, { key });
    expect(again.status).toBe(404);
  });

  it("is what a retry becomes when the endpoint's payload was changed since", async () => {
    const id = await endpoint("full");
    receiver.answerWith(() => 500);
    await putEvents(service.context.db, [{ ...EVENT, usdot: 7_200_002 }]);
    await receiver.arrival(1);
    await untilIdle(service.context);
    await service.send("PATCH", `/v1/webhooks/${id}`, { key, body: { payload: "thin" } });
    service.clock.advance(3_600_000);
    await receiver.arrival(2);
    expect(receiver.received.map((one) => Object.keys(bodyOf(one).data).includes("usdot"))).toEqual([
      true,
      false,
    ]);
  });

  it("of a test leads to no event", async () => {
    const id = await endpoint("thin");
    await service.send("POST", `/v1/webhooks/${id}/test`, { key });
    await receiver.arrival(1);
    expect(bodyOf(receiver.received[0] as Received).data).toEqual({ event_url: null, test: true });
  });
});
