import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createSender, type Sender } from "../../../../src/webhooks/egress/sender.ts";
import { type Receiver, startReceiver, TEST_CA } from "../../../support/webhooks/receiver.ts";

let first: Receiver;
let second: Receiver;
let sender: Sender;
beforeAll(async () => {
  first = await startReceiver();
  second = await startReceiver();
});
afterAll(async () => {
  await first.close();
  await second.close();
});
beforeEach(() => {
  sender = createSender({ allowedCidrs: ["127.0.0.0/8"], ca: TEST_CA });
  first.received.length = 0;
});
afterEach(() => sender.close());

const send = () => sender.send({ url: `${first.url}/hook?a=b`, headers: {}, body: "{}" });

it.each([301, 302, 303, 307, 308])("counts a %i as a failure and does not follow it", async (status) => {
  first.answerWith((_request, response) => response.writeHead(status, { location: `${second.url}/` }).end());
  expect(await send()).toMatchObject({ httpStatus: status, reason: "answer_not_2xx" });
  expect(first.received).toHaveLength(1);
  expect(second.connections()).toBe(0);
});

it("ignores a Refresh header and a Location beside a 2xx", async () => {
  first.answerWith((_request, response) =>
    response.writeHead(200, { refresh: `0; url=${second.url}/`, location: `${second.url}/` }).end(),
  );
  expect(await send()).toMatchObject({ httpStatus: 200, reason: null });
  expect(second.connections()).toBe(0);
});

it("does not take the first step of a chain of ten, even on the same host", async () => {
  first.answerWith(({ path }, response) => {
    const hop = Number(/hop(\d+)/.exec(path)?.[1] ?? 0) + 1;
    response.writeHead(302, { location: hop > 10 ? second.url : `/hop${hop}` }).end();
  });
  expect(await send()).toMatchObject({ httpStatus: 302, reason: "answer_not_2xx" });
  expect(first.received.map(({ path }) => path)).toEqual(["/hook?a=b"]);
  expect(second.connections()).toBe(0);
});
