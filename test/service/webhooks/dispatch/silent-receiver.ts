import { afterAll, beforeAll, beforeEach } from "vitest";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { putEvents } from "../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { LOOPBACK_ENV, quieten } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { quickAtFirst, type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

export let service: TestService;
export let receiver: Receiver;

/** Endpoints of one account, each with its own path. */
export async function accountWith(endpointCount: number, { url: base } = receiver) {
  const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
  const endpointIds: number[] = [];
  for (let number = 0; number < endpointCount; number++) {
    const url = `${base}/${accountId}/${number}`;
    endpointIds.push((await registerEndpoint(service.context, accountId, { url })).id);
  }
  return { accountId, endpointIds };
}

export async function queueEvents(count: number): Promise<void> {
  await putEvents(
    service.context.db,
    Array.from({ length: count }, () => ({})),
  );
  await fanOut(service.context);
}

/** A service of one test file, and a receiver that answers once and then never. */
export function useSilentReceiver(): void {
  beforeAll(async () => {
    service = await startTestService({ env: LOOPBACK_ENV });
    receiver = await startReceiver();
  });
  beforeEach(async () => {
    await quieten(service.context);
    receiver.received.length = 0;
    receiver.answerWith(quickAtFirst(() => "nothing"));
  });
  afterAll(async () => {
    await receiver.close();
    await service.stop();
  });
}
