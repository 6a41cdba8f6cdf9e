import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { secretsUnder } from "../../../../src/platform/secrets.ts";
import { resealSecrets } from "../../../../src/webhooks/secrets/reseal.ts";
import { putEvents } from "../../../support/events/events.ts";
import { TEST_SECRETS_KEY } from "../../../support/secrets.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import {
  isSignedWith,
  LOOPBACK_ENV,
  startTestDispatcher,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { startReceiver } from "../../../support/webhooks/receiver.ts";

const PER_ACCOUNT = 20;

/** The secrets of so many new endpoints, by their paths. */
async function registerEndpoints(
  service: TestService,
  url: string,
  count: number,
): Promise<Map<string, string>> {
  const secrets = new Map<string, string>();
  while (secrets.size < count) {
    const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    for (let index = 0; index < PER_ACCOUNT; index++) {
      const path = `/${secrets.size}`;
      const { secret } = await registerEndpoint(service.context, accountId, { url: url + path });
      secrets.set(path, secret);
    }
  }
  return secrets;
}

/**
 * Encrypts every secret with another key while the endpoints get their events, and expects each delivery to be signed
 * as the customer checks it.
 */
export async function expectGenuineThroughExchange(endpoints: number): Promise<void> {
  const service = await startTestService({ env: LOOPBACK_ENV });
  // Answers kept back until the encryption has ended: an endpoint's last event is sent after it, however busy the machine.
  const exchange = Promise.withResolvers<void>();
  const receiver = await startReceiver(() => exchange.promise.then(() => 204));
  const secrets = await registerEndpoints(service, receiver.url, endpoints);
  const exchanged = secretsUnder([randomBytes(32), Buffer.from(TEST_SECRETS_KEY, "base64")]);
  const context = { ...service.context, secrets: exchanged };
  const dispatcher = startTestDispatcher(context);
  try {
    await putEvents(context.db, [{}, {}, {}]);
    await receiver.arrival(endpoints / 10);
    await resealSecrets(context);
    const arrivedMeanwhile = receiver.received.length;
    exchange.resolve();
    const came = () =>
      new Set(receiver.received.map(({ path, headers }) => path + headers["service-event-id"]));
    // On a busy machine an attempt may time out; the next one is due after a minute.
    for (await untilIdle(context); came().size < endpoints * 3; await untilIdle(context)) {
      service.clock.advance(120_000);
    }
    const forged = receiver.received.filter((one) => !isSignedWith(secrets.get(one.path) ?? "", one));
    expect(forged).toEqual([]);
    // Otherwise nothing would have been in flight during the encryption.
    expect(arrivedMeanwhile).toBeLessThan(endpoints * 3);
    const rows = await context.db.prisma.webhookEndpoint.findMany({ select: { secretSealed: true } });
    expect(rows.filter(({ secretSealed }) => exchanged.isOutdated(secretSealed))).toEqual([]);
  } finally {
    await dispatcher.stop();
    await receiver.close();
    await service.stop();
  }
}
