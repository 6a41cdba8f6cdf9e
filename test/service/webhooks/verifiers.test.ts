import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../src/platform/clock.ts";
import { configFrom } from "../../../src/platform/config/config.ts";
import type { Context } from "../../../src/platform/context.ts";
import { startDispatcher } from "../../../src/webhooks/dispatch/dispatcher.ts";
import { createSender } from "../../../src/webhooks/egress/sender.ts";
import { rotateSecret } from "../../../src/webhooks/endpoints/rotate.ts";
import { openAccount } from "../../support/accounts.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putEvents } from "../../support/events/events.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import { hasPython } from "../../support/webhooks/example-receiver.ts";
import { type Received, startReceiver, TEST_CA } from "../../support/webhooks/receiver.ts";
import {
  type Delivery,
  flipped,
  type StandardDelivery,
  signedAt,
  snippet,
  verifiers,
} from "./known-verifiers.ts";

const DELIVERIES = 5;
const ALLOWED = { allowedCidrs: ["127.0.0.0/8"] };

let database: TestDatabase;
let context: Context;
const deliveries: Delivery[] = [];
const standardDeliveries: StandardDelivery[] = [];
/** One delivery in the overlap of a rotation, once with each of the secrets. */
let inOverlap: (Delivery & StandardDelivery)[];

// Deliveries as they really arrive, signed with the current time: one of the verifiers has no other clock.
beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, systemClock);
  context.config = configFrom({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8" });
  const receiver = await startReceiver();
  const { accountId } = await openAccount(context, { feeds: { us_new_authority_weekly: null } });
  const endpoint = await registerEndpoint(context, accountId, { url: `${receiver.url}/in` });
  const { secret } = endpoint;
  const dispatcher = startDispatcher(context, {
    pollMs: 20,
    sender: createSender({ ...ALLOWED, ca: TEST_CA }),
  });
  const names = Array.from({ length: DELIVERIES }, (_, index) => `GÜTERVERKEHR "№ ${index}" LLC`);
  await putEvents(
    context.db,
    names.map((legal_name) => ({ data: { legal_name, reason: "Granted" } })),
  );
  await receiver.arrival(DELIVERIES);
  const read = ({ headers, body }: Received, secret: string) => {
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    const standard = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    return { header: String(headers["service-signature"]), headers: standard, body, secret };
  };
  for (const received of receiver.received) {
    deliveries.push(read(received, secret));
    standardDeliveries.push(read(received, secret));
  }
  const rotated = await rotateSecret(context, accountId, endpoint.id, { overlap_seconds: 3600 });
  await putEvents(context.db, [{}]);
  await receiver.arrival(DELIVERIES + 1);
  const last = receiver.received.at(-1) as Received;
  inOverlap = [read(last, secret), read(last, rotated.secret)];
  await dispatcher.stop();
  await receiver.close();
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

const FLIP = fc.record({
  delivery: fc.nat(DELIVERIES - 1),
  part: fc.constantFrom("time", "body", "signature"),
  offset: fc.nat(),
  bit: fc.nat(7),
});

describe.each(verifiers)("by %s", (_name, verifies) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("every delivery is genuine", async () => {
    expect(deliveries).toHaveLength(DELIVERIES);
    for (const delivery of deliveries) expect(await verifies(delivery)).toBe(true);
  });

  it("one in the overlap of a rotation is, with either secret and no other", async () => {
    for (const delivery of inOverlap) expect(await verifies(delivery)).toBe(true);
    const delivery = inOverlap[0] as Delivery;
    expect(await verifies({ ...delivery, secret: `${delivery.secret.slice(0, -1)}_` })).toBe(false);
  });

  it("none is with any bit of time, body or signature inverted", async () => {
    await fc.assert(
      fc.asyncProperty(FLIP, async ({ delivery, part, offset, bit }) => {
        const altered = flipped(deliveries[delivery] as Delivery, part, { offset, bit });
        expect(await verifies(altered)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("none is more than five minutes after it was signed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    for (const delivery of deliveries) {
      vi.setSystemTime((signedAt(delivery) + 300) * 1000);
      expect(await verifies(delivery)).toBe(true);
      vi.setSystemTime((signedAt(delivery) + 301) * 1000);
      expect(await verifies(delivery)).toBe(false);
    }
  });
});

describe.each([
  ["standardwebhooks", StandardWebhook],
  ["svix", SvixWebhook],
])("by %s", (_name, Webhook) => {
  const verifies = ({ headers, body, secret }: StandardDelivery): boolean => {
    try {
      new Webhook(secret).verify(body.toString("utf8"), headers);
      return true;
    } catch {
      return false;
    }
  };

  it("every delivery is genuine, and names its event", () => {
    expect(standardDeliveries).toHaveLength(DELIVERIES);
    for (const delivery of standardDeliveries) {
      expect(verifies(delivery)).toBe(true);
      expect(JSON.parse(delivery.body.toString()).id).toBe(delivery.headers["webhook-id"]);
    }
  });

  it("one in the overlap of a rotation is, with either secret and no other", () => {
    for (const delivery of inOverlap) expect(verifies(delivery)).toBe(true);
    const { secret, ...delivery } = inOverlap[0] as StandardDelivery;
    const other = secret.slice(0, 6) + secret.slice(6).split("").toReversed().join("");
    expect(verifies({ ...delivery, secret: other })).toBe(false);
  });

  it("none is with another id, time, signature or body", () => {
    for (const [index, { headers, body, secret }] of standardDeliveries.entries()) {
      const other = standardDeliveries[(index + 1) % DELIVERIES] as StandardDelivery;
      const later = String(Number(headers["webhook-timestamp"]) + 1);
      expect(verifies({ headers, body: other.body, secret })).toBe(false);
      for (const change of [
        { "webhook-id": other.headers["webhook-id"] ?? "" },
        { "webhook-timestamp": later },
        { "webhook-signature": other.headers["webhook-signature"] ?? "" },
      ]) {
        expect(verifies({ headers: { ...headers, ...change }, body, secret })).toBe(false);
      }
    }
  });
});

it.skipIf(!hasPython())("the guide's snippet in Python accepts exactly the genuine ones", () => {
  const altered = fc
    .sample(FLIP, 1_000)
    .map(({ delivery, part, offset, bit }) =>
      flipped(deliveries[delivery] as Delivery, part, { offset, bit }),
    );
  // Headers have only ASCII; other bytes would only test how they are passed on.
  const asked = [
    ...deliveries,
    ...inOverlap,
    ...altered.filter(({ header }) => /^[\x20-\x7e]*$/.test(header)),
  ];
  const lines = asked.map(({ header, body, secret }) =>
    JSON.stringify({ header, body: body.toString("base64"), secret }),
  );
  const script = `${snippet("python")}
import base64, json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(is_genuine(asked["header"], base64.b64decode(asked["body"]), asked["secret"]))
`;
  const answers = execFileSync("python3", ["-c", script], { input: lines.join("\n"), encoding: "utf8" });
  expect(asked.length).toBeGreaterThan(500);
  expect(answers.trim().split("\n")).toEqual(
    asked.map((_, index) => (index < DELIVERIES + inOverlap.length ? "True" : "False")),
  );
});
