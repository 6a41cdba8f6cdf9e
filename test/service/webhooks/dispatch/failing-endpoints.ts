import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import type { WebhookIn } from "../../../../src/webhooks/endpoints/asked-endpoint.ts";
import { removeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import {
  LOOPBACK_ENV,
  putManyEvents,
  quieten,
  startTestDispatcher,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

// One retry a minute later, so that a delivery has failed after two attempts.
const ENV = { ...LOOPBACK_ENV, WEBHOOK_RETRY_SECONDS: "60" };

export let service: TestService;
export let receiver: Receiver;
export let dispatcher: Dispatcher;

export async function endpoint(asked: Partial<WebhookIn> = {}): Promise<number> {
  const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
  const url = `${receiver.url}/in?token=s3cret`;
  return (await registerEndpoint(service.context, accountId, { url, ...asked })).id;
}

export const stateOf = async (id: number) => {
  const { active, failureStreak, disabledReason } =
    await service.context.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  return { active, failureStreak, disabledReason };
};

/** The state of an endpoint's delivery, by its index. */
export const deliveryAt = async (endpointId: number, index: number) => {
  const { rows } = await service.context.db.pool.query<{ status: string; failures: number }>(
    "SELECT status, failures FROM webhook_delivery_state WHERE endpoint_id = $1 ORDER BY id OFFSET $2 LIMIT 1",
    [endpointId, index],
  );
  return rows[0];
};

export const mails = async () => {
  const { rows } = await service.context.db.pool.query<{ purpose: string; recipient: string; body: string }>(
    "SELECT purpose, recipient, body FROM mail_outbox ORDER BY id",
  );
  return rows;
};

/** Lets so many events fail, or be accepted, one after the other, each with all its attempts. */
export async function deliver(count: number, status: number): Promise<void> {
  receiver.answerWith(() => status);
  for (let event = 0; event < count; event++) {
    await putManyEvents(service.context, 1);
    await untilIdle(service.context);
    service.clock.advance(70_000);
    await untilIdle(service.context);
  }
}

/** A service of one test file with a dispatcher for each test, and a receiver that may fail. */
export function useFailingEndpoints(): void {
  beforeAll(async () => {
    service = await startTestService({ env: ENV });
    receiver = await startReceiver();
  });
  beforeEach(async () => {
    await quieten(service.context);
    await removeRows(service.context.db.pool, "mail_outbox");
    dispatcher = startTestDispatcher(service.context);
    return () => dispatcher.stop();
  });
  afterAll(async () => {
    await receiver.close();
    await service.stop();
  });
}
