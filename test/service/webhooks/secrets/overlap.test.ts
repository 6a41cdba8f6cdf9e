import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { erasePreviousSecrets } from "../../../../src/webhooks/upkeep/upkeep.ts";
import { settableClock } from "../../../support/clock.ts";
import { putEvents } from "../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import { LOOPBACK_ENV, startTestDispatcher, untilIdle } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Received, type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

const clock = settableClock("2026-11-21T12:00:00Z");

let service: TestService;
let receiver: Receiver;
let key: string;
let endpoint: { id: number; secret: string };
beforeAll(async () => {
  service = await startTestService({ env: LOOPBACK_ENV, clock });
  receiver = await startReceiver();
  const account = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
  key = account.key;
  endpoint = await registerEndpoint(service.context, account.accountId, { url: `${receiver.url}/in` });
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

async function rotate(
  body?: object,
): Promise<{ secret: string; previous_secret_valid_until: string | null }> {
  const answer = await service.send("POST", `/v1/webhooks/${endpoint.id}/rotate`, {
    key,
    ...(body && { body }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as never;
}

async function get<Body>(path: string): Promise<Body> {
  return (await (await service.get(`/v1/webhooks/${endpoint.id}${path}`, key)).json()) as Body;
}

/** Delivers one event, and gives the request that arrived. */
async function delivered(): Promise<Received> {
  receiver.received.length = 0;
  await putEvents(service.context.db, [{}]);
  await receiver.arrival(1);
  await untilIdle(service.context);
  return receiver.received[0] as Received;
}

/** Both signature headers that these secrets give, computed as the documentation says. */
function headersOf({ headers, body }: Received, secrets: readonly string[]) {
  const [id, time] = [headers["webhook-id"], headers["webhook-timestamp"]];
  const own = secrets.map(
    (secret) => `v1=${createHmac("sha256", secret).update(`${time}.`).update(body).digest("hex")}`,
  );
  const standard = secrets.map((secret) => {
    const bytes = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", bytes).update(`${id}.${time}.`).update(body).digest("base64")}`;
  });
  return { own: [`t=${time}`, ...own].join(), standard: standard.join(" ") };
}

function expectSignedBy(received: Received, secrets: readonly string[]): void {
  const { own, standard } = headersOf(received, secrets);
  expect(received.headers["service-signature"]).toBe(own);
  expect(received.headers["webhook-signature"]).toBe(standard);
}

const sealed = async () =>
  service.context.db.prisma.webhookEndpoint.findUniqueOrThrow({
    where: { id: endpoint.id },
    select: { previousSecretSealed: true, previousSecretUntil: true },
  });

interface Detail {
  attempts: { signature: string; standard_signature: string | null }[];
}

it("signs with both secrets during the overlap of a rotation, in both kinds of headers, and then with the new one", async () => {
  const dispatcher = startTestDispatcher(service.context);
  try {
    expectSignedBy(await delivered(), [endpoint.secret]);
    const { secret: second, previous_secret_valid_until: until } = await rotate({ overlap_seconds: 3600 });
    expect(until).toBe("2026-11-21T13:00:00.000Z");
    expect(await get("")).toMatchObject({ previous_secret_valid_until: until });
    const both = await delivered();
    expectSignedBy(both, [second, endpoint.secret]);

    // The detail of a delivery has what was sent.
    const deliveries = await deliveriesOf(service.context, endpoint.id);
    const detailOf = (index: number) => get<Detail>(`/deliveries/${deliveries.at(index)?.id}`);
    expect((await detailOf(-1)).attempts).toMatchObject([
      {
        signature: both.headers["service-signature"],
        standard_signature: both.headers["webhook-signature"],
      },
    ]);
    expect((await detailOf(0)).attempts[0]?.standard_signature).toMatch(/^v1,\S{44}$/);

    clock.set("2026-11-21T13:00:00Z");
    expectSignedBy(await delivered(), [second]);
    expect(await get("")).toMatchObject({ previous_secret_valid_until: null });

    // A rotation without an overlap ends a running one: no older secret is used any more.
    const { secret: third } = await rotate({ overlap_seconds: 60 });
    expectSignedBy(await delivered(), [third, second]);
    const { secret: fourth, previous_secret_valid_until: none } = await rotate({});
    expect(none).toBeNull();
    expectSignedBy(await delivered(), [fourth]);
    expect(await sealed()).toEqual({ previousSecretSealed: null, previousSecretUntil: null });
    // The secrets that signed the others are no longer kept.
    expect((await detailOf(-1)).attempts[0]?.standard_signature).toBeNull();
  } finally {
    await dispatcher.stop();
  }
});

it("erases the old secret when the overlap is over, and not before", async () => {
  clock.set("2026-11-21T14:00:00Z");
  await rotate({ overlap_seconds: 60 });
  await erasePreviousSecrets(service.context, new Date("2026-11-21T14:00:59Z"));
  expect((await sealed()).previousSecretSealed).not.toBeNull();
  await erasePreviousSecrets(service.context, new Date("2026-11-21T14:01:00Z"));
  expect(await sealed()).toEqual({ previousSecretSealed: null, previousSecretUntil: null });
});

it("refuses an overlap of more than a day, below none or that is no number", async () => {
  for (const overlap_seconds of [86_401, -1, "60", 1.5, null]) {
    const answer = await service.send("POST", `/v1/webhooks/${endpoint.id}/rotate`, {
      key,
      body: { overlap_seconds },
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ detail: [{ loc: ["body", "overlap_seconds"] }] });
  }
});
