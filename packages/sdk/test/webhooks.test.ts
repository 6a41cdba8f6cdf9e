import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import { signatureOf, signingKeyOf } from "../../../src/webhooks/secrets/signing.ts";
import { putEvents } from "../../../test/support/events/events.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { LOOPBACK_ENV, startTestDispatcher } from "../../../test/support/webhooks/dispatching.ts";
import { type Received, type Receiver, startReceiver } from "../../../test/support/webhooks/receiver.ts";
import {
  type Delivery,
  type TruckingDataFeed,
  verifyThinWebhook,
  verifyWebhook,
  WebhookVerificationError,
} from "../src/index.ts";
import { verifyDelivery, verifyThinDelivery } from "../src/receiving.ts";
import { customerOf } from "./brokers.ts";

const OLD_SECRET = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCD";

let service: TestService;
let receiver: Receiver;
let tdf: TruckingDataFeed;
beforeAll(async () => {
  service = await startTestService({ env: LOOPBACK_ENV });
  receiver = await startReceiver();
  tdf = await customerOf(service);
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

describe("webhook endpoints", () => {
  it("are created, listed without their secret, tested, given a new secret and paused", async () => {
    const endpoint = await tdf.webhooks.create({
      url: "https://hooks.example.com/trucking",
      event_types: ["reinstated"],
      description: "ours",
    });
    expect(endpoint).toMatchObject({ active: true, secret: expect.stringMatching(/^whsec_/) });
    expect(await tdf.webhooks.test(endpoint.id)).toMatchObject({
      endpoint_id: endpoint.id,
      status: "queued",
    });
    const rotated = await tdf.webhooks.rotateSecret(endpoint.id);
    expect(rotated).toMatchObject({ id: endpoint.id, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.secret).not.toBe(endpoint.secret);
    expect(rotated.previous_secret_valid_until).toBeNull();
    const overlapping = await tdf.webhooks.rotateSecret(endpoint.id, { overlap_seconds: 60 });
    expect(overlapping.previous_secret_valid_until).toEqual(expect.any(String));
    await tdf.webhooks.pause(endpoint.id);
    const { data, available_event_types } = await tdf.webhooks.list();
    expect(data).toMatchObject([{ id: endpoint.id, description: "ours", active: false }]);
    expect(available_event_types).toContain("reinstated");
    await expect(tdf.webhooks.pause(endpoint.id + 1)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("at night, without the dashboard", () => {
  it("an endpoint is changed, its deliveries are looked at and sent again, and it is deleted", async () => {
    const { id } = await tdf.webhooks.create({
      url: "https://hooks.example.com/night",
      event_types: ["new_authority_granted"],
    });
    const detectedAt = "2026-11-21T10:00:00Z";
    await putEvents(service.context.db, [{ detectedAt }, { detectedAt }, { detectedAt }]);
    await fanOut(service.context);
    const pages: number[] = [];
    for await (const { data } of tdf.webhooks.deliveries(id, {}, { pageSize: 2 }).pages())
      pages.push(data.length);
    expect(pages).toEqual([2, 1]);

    await tdf.webhooks.pause(id);
    expect(await tdf.webhooks.read(id)).toMatchObject({ active: false });
    const changed = await tdf.webhooks.update(id, { active: true, filters: { states: ["TX", "OK"] } });
    expect(changed).toMatchObject({ active: true, filters: { states: ["TX", "OK"] } });
    await tdf.webhooks.update(id, { filters: null });

    const cancelled = [];
    for await (const each of tdf.webhooks.deliveries(id, { status: "cancelled" })) cancelled.push(each);
    const [first] = cancelled as [(typeof cancelled)[0]];
    expect(cancelled).toHaveLength(3);
    expect(await tdf.webhooks.delivery(id, first.delivery_id)).toMatchObject({
      event_id: first.event_id,
      body: expect.stringContaining(first.event_id ?? "no event"),
    });
    expect(await tdf.webhooks.resend(id, first.delivery_id)).toMatchObject({ status: "queued" });

    service.clock.advance(1_000);
    const range = { from: "2026-11-21T00:00:00Z", to: "2026-11-22T00:00:00Z" };
    expect(await tdf.webhooks.replay(id, range)).toMatchObject({ dry_run: true, deliveries: 2 });
    const replayed = await tdf.webhooks.replay(id, { ...range, dry_run: false });
    expect(replayed).toMatchObject({ dry_run: false, deliveries: 2, next_cursor: null });

    await tdf.webhooks.delete(id);
    await expect(tdf.webhooks.read(id)).rejects.toMatchObject({ code: "not_found", status: 404 });
  });
});

describe("a real delivery", () => {
  let given: Delivery;
  let signedAtMs: number;
  beforeAll(async () => {
    const { secret } = await tdf.webhooks.create({
      url: `${receiver.url}/in`,
      event_types: ["new_authority_granted"],
    });
    const dispatcher = startTestDispatcher(service.context);
    await putEvents(service.context.db, [{ data: { legal_name: "GÜTERVERKEHR № 1", reason: "Granted" } }]);
    await receiver.arrival(1);
    await dispatcher.stop();
    const [{ headers, body }] = receiver.received as [Received];
    const header = headers["service-signature"];
    given = { header, body, secret, now: service.clock.now() };
    signedAtMs = Number(/^t=(\d+),/.exec(String(header))?.[1]) * 1000;
  });

  const refusalOf = (change: Partial<Delivery>) =>
    verifyWebhook({ ...given, ...change }).catch((error: unknown) =>
      error instanceof WebhookVerificationError ? error.reason : error,
    );

  it("is its event, typed by its type", async () => {
    const event = await verifyWebhook(given);
    expect(event).toMatchObject({ id: expect.stringMatching(/^evt_\d+$/), data: { usdot: "4300000" } });
    if (event.type !== "new_authority_granted") throw new Error(`It is ${event.type}.`);
    expect(event.data.data.legal_name).toBe("GÜTERVERKEHR № 1");
  });

  it("is taken as bytes, a buffer of them or text, with the header as a list, and with one of several secrets", async () => {
    const bytes = given.body as Buffer;
    const event = await verifyWebhook(given);
    expect(await refusalOf({ body: new Uint8Array(bytes) })).toEqual(event);
    expect(await refusalOf({ body: new Uint8Array(bytes).buffer })).toEqual(event);
    expect(await refusalOf({ body: bytes.toString("utf8") })).toEqual(event);
    expect(await refusalOf({ header: [String(given.header)] })).toEqual(event);
    expect(await refusalOf({ secret: [OLD_SECRET, String(given.secret)] })).toEqual(event);
    expect(await refusalOf({ secret: [String(given.secret), OLD_SECRET] })).toEqual(event);
  });

  it("is taken with either secret while the overlap of a rotation runs", async () => {
    const body = String(given.body);
    const keys = [String(given.secret), OLD_SECRET].map(signingKeyOf);
    const header = signatureOf(keys, signedAtMs / 1000, body);
    expect(await refusalOf({ header })).toMatchObject({ type: "new_authority_granted" });
    expect(await refusalOf({ header, secret: OLD_SECRET })).toMatchObject({ type: "new_authority_granted" });
    expect(await refusalOf({ header, secret: `${OLD_SECRET}x` })).toBe("wrong_signature");
  });

  it("is refused with a reason", async () => {
    const at = (seconds: number) => ({ now: new Date(signedAtMs + seconds * 1000) });
    const header = String(given.header);
    expect(await refusalOf({ header: undefined })).toBe("missing_header");
    expect(await refusalOf({ header: null })).toBe("missing_header");
    expect(await refusalOf({ header: "" })).toBe("missing_header");
    const [time = "", signature = ""] = header.split(",");
    const thrice = [header, signature, signature].join();
    const forms = [time, signature, `${signature},${time}`, thrice, ` ${header}`];
    for (const form of [...forms, header.toUpperCase(), header.slice(0, -1), `${header}0`, `${header}\n`]) {
      expect(await refusalOf({ header: form })).toBe("malformed_header");
    }
    expect(await refusalOf({ header: [header, header] })).toBe("malformed_header");
    expect(await refusalOf({ secret: OLD_SECRET })).toBe("wrong_signature");
    expect(await refusalOf({ body: `${given.body} ` })).toBe("wrong_signature");
    expect(await refusalOf(at(300))).toMatchObject({ type: "new_authority_granted" });
    expect(await refusalOf(at(301))).toBe("too_old");
    expect(await refusalOf(at(-300))).toMatchObject({ type: "new_authority_granted" });
    expect(await refusalOf(at(-301))).toBe("too_new");
    expect(await refusalOf({ ...at(11), toleranceSeconds: 10 })).toBe("too_old");
    for (const body of ["no JSON", "null", "{}", '{"id":"evt_1","type":"reinstated"}']) {
      const forged = signatureOf([signingKeyOf(String(given.secret))], signedAtMs / 1000, body);
      expect(await refusalOf({ header: forged, body })).toBe("malformed_body");
    }
  });

  it("of a change of a watched carrier is told by its type", async () => {
    const signed = (data: object) => {
      const body = JSON.stringify({
        id: "chg_7",
        type: "carrier_change",
        created: "2026-11-20T11:20:05Z",
        data,
      });
      const header = signatureOf([signingKeyOf(String(given.secret))], signedAtMs / 1000, body);
      return { ...given, header, body };
    };
    const full = signed({ change: { id: 7, usdot: "4300000", field: "power_units" } });
    const event = await verifyDelivery(full);
    if (event.type !== "carrier_change") throw new Error(`It is ${event.type}.`);
    expect(event.data.change.field).toBe("power_units");
    await expect(verifyWebhook(full)).rejects.toThrow("verifyDelivery");
    const thin = signed({ changes_url: "https://feeds.example.com/v1/carrier-changes?usdot=4300000" });
    expect(await verifyThinDelivery(thin)).toMatchObject({ id: "chg_7", type: "carrier_change" });
    await expect(verifyThinWebhook(thin)).rejects.toThrow("verifyThinDelivery");
  });

  it("that is thin has ids, with which its event is read", async () => {
    const { id, secret } = await tdf.webhooks.create({
      url: `${receiver.url}/thin`,
      event_types: ["new_authority_granted"],
      filters: { usdots: ["4300009"] },
      payload: "thin",
    });
    const dispatcher = startTestDispatcher(service.context);
    receiver.received.length = 0;
    await putEvents(service.context.db, [{ usdot: 4_300_009 }]);
    await receiver.arrival(2);
    await dispatcher.stop();
    await tdf.webhooks.pause(id);
    const { headers, body } = receiver.received.find(({ path }) => path === "/thin") as Received;
    const delivery = { header: headers["service-signature"], body, secret, now: service.clock.now() };
    const event = await verifyThinWebhook(delivery);
    expect(event.data.event_url).toMatch(/\/v1\/events\/\d+$/);
    expect(await tdf.event(event.id)).toMatchObject({ usdot: "4300009", type: event.type });
    await expect(verifyWebhook(delivery)).rejects.toThrow("verifyThinWebhook");
    await expect(verifyThinWebhook(given)).rejects.toThrow("verifyWebhook");
  });

  it("cannot be verified without a secret", async () => {
    expect(await refusalOf({ secret: "" })).toMatchObject({ message: expect.stringContaining("whsec_") });
    for (const secret of [[], null, [null], undefined, 0, false, {}])
      expect(await refusalOf({ secret: secret as never })).toBeInstanceOf(TypeError);
  });
});
