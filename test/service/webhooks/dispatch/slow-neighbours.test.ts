import { afterEach, beforeEach, expect, it } from "vitest";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import {
  LOOPBACK_ENV,
  putManyEvents,
  startTestDispatcher,
  until,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

const BATCH = 20;
/** Longer than any test: what a receiver holds stays held. */
const NEVER_MS = 3_600_000;

let service: TestService;
let receiver: Receiver;
let dispatcher: Dispatcher;

beforeEach(async () => {
  service = await startTestService({ env: LOOPBACK_ENV });
  receiver = await startReceiver();
  const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
  for (const path of ["/hanging", "/dripping", "/good"])
    await registerEndpoint(service.context, accountId, { url: receiver.url + path });
  dispatcher = startTestDispatcher(service.context, { timeoutMs: NEVER_MS, graceMs: 0 });
});
afterEach(async () => {
  await receiver.close();
  await dispatcher.stop();
  await service.stop();
});

const arrivedAt = (path: string) => receiver.received.filter((one) => one.path === path).length;

/** From now on one receiver hangs, and another sends the first bytes of an answer that never ends. */
const letTwoHang = () =>
  receiver.answerWith(({ path }, response) => {
    if (path === "/good") return 204;
    if (path === "/dripping") response.writeHead(200).write("a");
    return null;
  });

/** Sends batches, each when the good endpoint has all of the one before. Without end when it does not get them. */
async function sendBatches(count: number): Promise<void> {
  for (let batch = 0; batch < count; batch += 1) {
    const wanted = arrivedAt("/good") + BATCH;
    await putManyEvents(service.context, BATCH);
    await until(() => arrivedAt("/good") >= wanted);
  }
}

it("two receivers that never answer hold up no third one of their account", async () => {
  letTwoHang();
  await sendBatches(3);
  expect([arrivedAt("/hanging"), arrivedAt("/dripping"), arrivedAt("/good")]).toEqual([1, 1, 3 * BATCH]);
});

// Each had proved before that it answers quickly.
it("nor do two that stop to answer between two batches", async () => {
  await putManyEvents(service.context, BATCH);
  await untilIdle(service.context);
  letTwoHang();
  await sendBatches(3);
  expect(arrivedAt("/good")).toBe(4 * BATCH);
});
