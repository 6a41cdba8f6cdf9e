import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "@trucking-data-feed/registry-generator/random";
import { expect } from "vitest";
import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import { createTestDatabase } from "../../support/database.ts";
import { startDispatcherProcess } from "../../support/processes/dispatcher-processes.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import {
  ageDispatchers,
  deliveryCounts,
  LOOPBACK_ENV,
  putManyEvents,
} from "../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../support/webhooks/receiver.ts";

export interface Endings {
  /** For the moments. */
  seed: number;
  /** How many deliveries there are at least, over 50 endpoints. */
  deliveries: number;
  /** How many dispatchers are ended, one after the other, while they are at work. */
  endings: number;
}

const ENDPOINTS = 50;
const IN_FLIGHT = 50;

/** The received deliveries. */
interface Outcome {
  deliveries: number;
  lost: number;
  /** Deliveries received more than once: the number of repetitions. */
  repeated: number;
}

/**
 * Ends dispatchers at random moments of their work, by a signal or gracefully (null), lets a last one finish, and
 * returns the received deliveries.
 */
export async function endDispatchers(
  signal: "SIGKILL" | null,
  { seed, deliveries, endings }: Endings,
): Promise<Outcome> {
  const database = await createTestDatabase();
  const service = await startTestService({ databaseUrl: database.url, env: LOOPBACK_ENV });
  // Slow enough that there is always something in flight.
  const receiver = await startReceiver(async () => {
    await delay(5);
    return 204;
  });
  const startDispatcher = () =>
    startDispatcherProcess(database.url, {
      now: service.clock.now().toISOString(),
      env: { WEBHOOK_CONCURRENCY: String(IN_FLIGHT) },
    });
  try {
    await registerEndpoints(service, receiver);
    await putManyEvents(service.context, Math.ceil(deliveries / ENDPOINTS));
    // Some are written while dispatchers end, and these fan them out.
    const queued = await fanOut(service.context);
    await putManyEvents(service.context, Math.ceil(deliveries / ENDPOINTS / 10));
    const random = createRandom(seed, 0, 0);
    const share = queued / (endings + 1);
    for (let ending = 0; ending < endings; ending++) {
      const dispatcher = await startDispatcher();
      await receiver.arrival(Math.ceil((ending + 0.1 + 0.8 * random.next()) * share));
      if (signal !== null) dispatcher.signal(signal);
      expect(await dispatcher.stop()).toBe(signal === null ? 0 : null);
      // The next one takes over at once.
      await ageDispatchers(service.context, 20);
    }
    const last = await startDispatcher();
    while (!(await isAllDelivered(service))) await delay(50);
    expect(await last.stop()).toBe(0);
    return await outcomeOf(service, receiver);
  } finally {
    await receiver.close();
    await service.stop();
    await database.drop();
  }
}

/** The maximum of repetitions: the deliveries in flight each time. */
export const mostRepeated = ({ endings }: Endings): number => endings * IN_FLIGHT;

async function registerEndpoints(service: TestService, receiver: Receiver): Promise<void> {
  for (let account = 0; account < ENDPOINTS / 5; account++) {
    const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    for (let number = 0; number < 5; number++) {
      await registerEndpoint(service.context, accountId, { url: `${receiver.url}/${account}/${number}` });
    }
  }
}

async function isAllDelivered({ context }: TestService): Promise<boolean> {
  const { delivered = 0, ...others } = await deliveryCounts(context);
  const { rows } = await context.db.pool.query<{ events: number }>("SELECT count(*) AS events FROM event");
  return delivered === (rows[0]?.events ?? 0) * ENDPOINTS && Object.keys(others).length === 0;
}

async function outcomeOf({ context }: TestService, receiver: Receiver): Promise<Outcome> {
  const { rows } = await context.db.pool.query<{ id: number }>("SELECT id FROM webhook_delivery");
  const times = Map.groupBy(receiver.received, ({ headers }) => Number(headers["service-delivery-id"]));
  return {
    deliveries: rows.length,
    lost: rows.filter(({ id }) => !times.has(id)).length,
    repeated: receiver.received.length - times.size,
  };
}
