import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { untilLockWait } from "../../../support/database.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { LOOPBACK_ENV, quieten, startTestDispatcher } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

export let service: TestService;
export let receiver: Receiver;
export let dispatcher: Dispatcher;

const EVERYWHERE = { feeds: { us_new_authority_weekly: null } };

export async function isLeased(endpointId: number): Promise<boolean> {
  const { rowCount } = await service.context.db.pool.query(
    "SELECT FROM webhook_lease JOIN webhook_endpoint USING (account_id) WHERE id = $1",
    [endpointId],
  );
  return rowCount === 1;
}

/** Blocks the dispatcher's queueing, and waits until it hangs. Gives what lets it go on. */
export async function holdQueueing(): Promise<() => Promise<void>> {
  const { pool } = service.context.db;
  const client = await pool.connect();
  await client.query("BEGIN; LOCK TABLE webhook_fan_out IN ACCESS EXCLUSIVE MODE");
  await untilLockWait(pool, "webhook_fan_out");
  return async () => {
    await client.query("COMMIT");
    client.release();
  };
}

export async function endpointAt(path: string) {
  const { accountId, key } = await service.createAccount(EVERYWHERE);
  return { ...(await registerEndpoint(service.context, accountId, { url: receiver.url + path })), key };
}

/** Starts the test's dispatcher once more, after it was stopped. */
export function dispatch(how: Parameters<typeof startTestDispatcher>[1] = {}): void {
  dispatcher = startTestDispatcher(service.context, how);
}

/** A service of one test file with a dispatcher for each test, and a receiver. */
export function useDispatcher(): void {
  beforeAll(async () => {
    service = await startTestService({ env: LOOPBACK_ENV });
    receiver = await startReceiver();
  });
  beforeEach(async () => {
    await quieten(service.context);
    dispatcher = startTestDispatcher(service.context);
    return async () => {
      await dispatcher.stop();
      receiver.received.length = 0;
      receiver.answerWith(() => 204);
    };
  });
  afterAll(async () => {
    await receiver.close();
    await service.stop();
  });
}
