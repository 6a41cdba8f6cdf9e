import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventRow } from "../../../../src/events/event-row.ts";
import {
  bodiesOf,
  deliveryBody,
  testDeliveryBody,
} from "../../../../src/webhooks/deliveries/delivery-body.ts";
import { signatureOf, signingKeyOf } from "../../../../src/webhooks/secrets/signing.ts";
import { validateDelivery, validateThinDelivery } from "../../../contract/prism/contract-document.ts";
import { putEvents, setDetection } from "../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await setDetection(service.context.db, { finishedAt: "2026-11-20T11:20:06Z", asOf: "2026-11-20" });
});
afterAll(() => service.stop());

const rowOf = async (id: number): Promise<EventRow> => {
  const { rows } = await service.context.db.pool.query<EventRow>("SELECT * FROM event WHERE id = $1", [id]);
  return rows[0] as EventRow;
};

const expectOfContract = (body: string, validate = validateDelivery) => {
  validate(JSON.parse(body));
  expect(validate.errors ?? null).toBe(null);
};

const SPARSE = { docket: null, state: null, occurredOn: null, verifyMethod: null, data: {} };
const WHOLE = {
  ...({ type: "revocation_pending", usdot: 3_640_092, docket: "MC1255080", state: "GA" } as const),
  occurredOn: "2026-11-18",
  detectedAt: "2026-11-19T11:20:04.125Z",
  data: { legal_name: 'TWO "CREEKS" Ünï EXPRESS LLC', reason: "a\u2028b", status_after: "active" },
};

describe("the body of a delivery", () => {
  it("is the same text for the same event at any time", async () => {
    const [id = 0] = await putEvents(service.context.db, [WHOLE]);
    const body = deliveryBody(await rowOf(id));
    expect(body).toBe(
      `{"id":"evt_${id}","type":"revocation_pending","created":"2026-11-19T11:20:04.125Z","data":{"usdot":"3640092",` +
        '"docket":"MC1255080","state":"GA","occurred_at":"2026-11-18","source_dataset":"authority_history",' +
        '"verify_method":"registry_record","data":{"reason":"a\u2028b","legal_name":"TWO \\"CREEKS\\" Ünï EXPRESS LLC",' +
        '"status_after":"active"}}}',
    );
    expect(deliveryBody(await rowOf(id))).toBe(body);
  });

  it.each([
    ["whole", WHOLE],
    ["sparse", SPARSE],
    ["unexplained", { ...SPARSE, data: { legal_name: "ACME", reason: null, status_after: null } as never }],
  ])("fits the contract and is equal to the event of GET /v1/events: a %s event", async (_kind, given) => {
    const [id = 0] = await putEvents(service.context.db, [given]);
    const body = deliveryBody(await rowOf(id));
    expectOfContract(body);
    const { key } = await service.createAccount({ feeds: { us_revocation_pending: null, us_brokers: null } });
    const page = await (await service.get("/v1/events?limit=1000", key)).json();
    const { country, type, detected_at, ...rest } = (page as { data: Record<string, unknown>[] }).data.find(
      (event) => event.id === id,
    ) as Record<string, unknown>;
    expect(country).toBe("US");
    const { id: _id, ...data } = rest;
    expect(JSON.parse(body)).toEqual({ id: `evt_${id}`, type, created: detected_at, data });
  });

  it("of a test has the shape of a real event, for a business that cannot exist", () => {
    const queuedAt = service.clock.now();
    const body = testDeliveryBody({ eventId: 48_160, type: "reinstated", queuedAt }, "full");
    expectOfContract(body);
    expect(JSON.parse(body)).toEqual({
      id: "evt_48160",
      type: "reinstated",
      created: "2026-11-21T12:00:00.000Z",
      data: {
        usdot: "0",
        docket: null,
        state: null,
        occurred_at: null,
        source_dataset: "test",
        verify_method: null,
        data: { reason: "test delivery" },
        test: true,
      },
    });
  });

  it("that is thin has ids and the address of the event, and nothing of the business", async () => {
    const [id = 0] = await putEvents(service.context.db, [WHOLE]);
    const { thin } = bodiesOf(await rowOf(id), "https://feeds.example.com");
    expectOfContract(thin, validateThinDelivery);
    expect(JSON.parse(thin)).toEqual({
      id: `evt_${id}`,
      type: "revocation_pending",
      created: "2026-11-19T11:20:04.125Z",
      data: { event_url: `https://feeds.example.com/v1/events/${id}` },
    });
    const test = testDeliveryBody(
      { eventId: 48_160, type: "reinstated", queuedAt: service.clock.now() },
      "thin",
    );
    expectOfContract(test, validateThinDelivery);
    expect(JSON.parse(test)).toMatchObject({ id: "evt_48160", data: { event_url: null, test: true } });
  });
});

describe("the signature", () => {
  // printf '1795166405.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_EXAMPLE0not0a0real0secret0000000000000000
  it("is the value that openssl computes from the same text and secret", () => {
    const secret = "whsec_EXAMPLE0not0a0real0secret0000000000000000";
    expect(signatureOf([signingKeyOf(secret)], 1_795_166_405, '{"id":"evt_1"}')).toBe(
      "t=1795166405,v1=d1e8a59ed557cbff24d11942530f3556bb09c0fb13e402a9e87cdaf8531b3b0a",
    );
  });

  it("is over the bytes that are sent, in any alphabet", () => {
    const body = '{"legal_name":"Ünï 🚚"}';
    const keys = [signingKeyOf("whsec_a")];
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signatureOf(keys, 7, body)) ?? [];
    expect(t).toBe("7");
    expect(v1).toBe(
      createHmac("sha256", "whsec_a")
        .update(Buffer.from(`7.${body}`))
        .digest("hex"),
    );
    expect(signatureOf(keys, 7, Buffer.from(body))).toBe(signatureOf(keys, 7, body));
  });
});
