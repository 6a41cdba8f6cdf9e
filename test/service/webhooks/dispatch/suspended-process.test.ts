import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Bell } from "../../../../src/webhooks/dispatch/loop.ts";
import { SendWindow } from "../../../../src/webhooks/dispatch/send-window.ts";
import { startDispatcherProcess } from "../../../support/processes/dispatcher-processes.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { attemptsOf, deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import {
  ageDispatchers,
  LOOPBACK_ENV,
  putManyEvents,
  quieten,
  startTestDispatcher,
  until,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startTestService({ env: LOOPBACK_ENV });
  receiver = await startReceiver();
});
beforeEach(() => quieten(service.context));
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

async function endpoint() {
  const account = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
  return {
    ...account,
    ...(await registerEndpoint(service.context, account.accountId, { url: receiver.url })),
  };
}

it("late records of a process that was suspended for longer than its lease overwrite nothing", async () => {
  const { id } = await endpoint();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  receiver.answerWith(async (received) => {
    if (received !== receiver.received[0]) return 500;
    await released;
    return 200;
  });
  const url = service.context.config.databaseUrl ?? "";
  const stopped = await startDispatcherProcess(url, { now: service.clock.now().toISOString() });
  await putManyEvents(service.context, 1);
  await receiver.arrival(1);
  stopped.signal("SIGSTOP");
  await ageDispatchers(service.context, 20);
  const dispatcher = startTestDispatcher(service.context);
  await receiver.arrival(2);
  const delivery = async () => (await deliveriesOf(service.context, id))[0];
  await until(async () => (await attemptsOf(service.context, (await delivery())?.id ?? 0)).length === 1);
  const before = await delivery();
  const attempts = await attemptsOf(service.context, before?.id ?? 0);
  expect(before?.status).toBe("queued");
  expect(attempts).toMatchObject([{ attempt: 1, http_status: 500 }]);
  release();
  stopped.signal("SIGCONT");
  // Before it ends it records its results.
  expect(await stopped.stop()).toBe(0);
  expect(await delivery()).toEqual(before);
  expect(await attemptsOf(service.context, before?.id ?? 0)).toEqual(attempts);
  await dispatcher.stop();
});

it("a process that is suspended while it sends blocks nobody for long, and may not continue", async () => {
  const { id, key } = await endpoint();
  const sendWindow = new SendWindow(service.context, { dispatcherId: 0, bell: new Bell() });
  await sendWindow.connect();
  await sendWindow.openNext();
  expect(sendWindow.isOpen()).toBe(true);
  const answer = await service.send("POST", `/v1/webhooks/${id}/rotate`, { key });
  expect(answer.status).toBe(200);
  expect(sendWindow.isOpen()).toBe(false);
  await expect(sendWindow.openNext()).rejects.toThrow(/connection/i);
});
