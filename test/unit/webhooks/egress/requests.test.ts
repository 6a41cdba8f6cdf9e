import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSender, type Sender } from "../../../../src/webhooks/egress/sender.ts";
import { addressRecords, type NameServer, startNameServer } from "../../../support/network/name-server.ts";
import { type Hostility, startHostileReceiver } from "../../../support/webhooks/hostile-receivers.ts";
import { type Receiver, startReceiver, TEST_CA } from "../../../support/webhooks/receiver.ts";

let receiver: Receiver;
let names: NameServer;
let sender: Sender;
beforeAll(async () => {
  receiver = await startReceiver();
  names = await startNameServer((name, type) => addressRecords(name, type, ["127.0.0.1"]));
  sender = createSender({ allowedCidrs: ["127.0.0.1/32"], ca: TEST_CA, nameServers: [names.address] });
});
afterAll(async () => {
  await sender.close();
  await receiver.close();
  await names.close();
});

it("sends the exact bytes by POST, with the given headers and few others", async () => {
  const body = '{"name":"Ærø Trucking – 100 %"}';
  const headers = { "Content-Type": "application/json", "Service-Event-Id": "evt_7" };
  const result = await sender.send({ url: `${receiver.url}/a%20b/?x=1&y=%2F`, headers, body });
  expect(result).toEqual({ httpStatus: 204, reason: null, durationMs: expect.any(Number) });
  const [received] = receiver.received;
  expect(received?.path).toBe("/a%20b/?x=1&y=%2F");
  expect(received?.body).toEqual(Buffer.from(body));
  expect(received?.headers).toEqual({
    host: new URL(receiver.url).host,
    connection: "keep-alive",
    "content-length": "35",
    "content-type": "application/json",
    "service-event-id": "evt_7",
    "accept-encoding": "identity",
  });
});

it("keeps no cookie", async () => {
  receiver.answerWith((_request, response) => response.writeHead(200, { "set-cookie": "a=b; Path=/" }).end());
  await sender.send({ url: receiver.url, headers: {}, body: "{}" });
  await sender.send({ url: receiver.url, headers: {}, body: "{}" });
  expect(receiver.received.at(-1)?.headers).not.toHaveProperty("cookie");
});

it.each([
  [200, null],
  [201, null],
  [299, null],
  [304, "answer_not_2xx"],
  [410, "answer_not_2xx"],
  [500, "answer_not_2xx"],
])("calls a %i %s", async (status, reason) => {
  receiver.answerWith(() => status);
  expect(await sender.send({ url: receiver.url, headers: {}, body: "{}" })).toMatchObject({
    httpStatus: status,
    reason,
  });
});

it("reuses a connection only after an answer of limited length", async () => {
  const connectionsFor = async (sizeBytes: number, isChunked: boolean) => {
    receiver.answerWith((_request, response) => {
      response.writeHead(200, isChunked ? {} : { "content-length": sizeBytes });
      response.end(Buffer.alloc(sizeBytes));
    });
    const before = receiver.connections();
    for (let sent = 0; sent < 3; sent += 1) {
      const result = await sender.send({ url: receiver.url, headers: {}, body: "{}" });
      expect(result).toMatchObject({ httpStatus: 200, reason: null });
    }
    return receiver.connections() - before;
  };
  expect(await connectionsFor(60_000, false)).toBeLessThanOrEqual(1);
  expect(await connectionsFor(12_000, true)).toBeLessThanOrEqual(1);
  // The first request may use the earlier connection.
  expect(await connectionsFor(200_000, false)).toBeGreaterThanOrEqual(2);
  expect(await connectionsFor(100_000, true)).toBeGreaterThanOrEqual(2);
});

it("waits for the answer after a status 100, also one in pieces", async () => {
  receiver.answerWith((_request, response) => {
    response.writeContinue();
    response.writeContinue();
    return 204;
  });
  for (let sent = 0; sent < 2; sent += 1) {
    const result = await sender.send({ url: receiver.url, headers: {}, body: "{}" });
    expect(result).toMatchObject({ httpStatus: 204, reason: null });
  }
  const pieces = [
    "HTTP/1.1 10",
    "0 Continue\r\nx: y\r",
    "\n\r\nHTTP/1.1 5",
    "00 No\r\ncontent-length: 0\r\n\r\n",
  ];
  const inPieces = await startHostileReceiver({
    at: "request",
    act: async (socket) => {
      for (const piece of pieces) {
        await new Promise((written) => socket.write(piece, written));
        await setImmediate();
      }
    },
  });
  const result = await sender.send({ url: inPieces.url, headers: {}, body: "{}" });
  await inPieces.close();
  expect(result).toMatchObject({ httpStatus: 500, reason: "answer_not_2xx" });
});

describe("a kept connection that the receiver closes before it answers", () => {
  const send = () => sender.send({ url: receiver.url, headers: {}, body: "{}" });

  /** What becomes of a second request on a connection, and how many requests arrive for it. */
  async function secondAfter(act: (socket: Socket) => unknown, most = 1) {
    receiver.answerWith(() => 204);
    await send();
    const before = receiver.received.length;
    receiver.answerWith((_request, response) => {
      if (receiver.received.length - before > most) return 204;
      if (response.socket) act(response.socket);
      return undefined;
    });
    const { reason } = await send();
    return { reason, arrived: receiver.received.length - before };
  }

  it("is replaced, and the request is sent once more", async () => {
    expect(await secondAfter((socket) => socket.destroy())).toEqual({ reason: null, arrived: 2 });
    expect(await secondAfter((socket) => socket.end())).toEqual({ reason: null, arrived: 2 });
    expect(await secondAfter((socket) => socket.destroy(), 9)).toEqual({
      reason: "connection_failed",
      arrived: 2,
    });
  });

  it("fails when the answer had begun", async () => {
    const begun = await secondAfter((socket) => socket.end("HTTP/1.1 2"));
    expect(begun).toEqual({ reason: "connection_failed", arrived: 1 });
  });
});

it("does not throw for a request that cannot be sent", async () => {
  const failed = { httpStatus: null, reason: "connection_failed" };
  const headers = { "x-a": "line\r\nbreak: yes" };
  expect(await sender.send({ url: receiver.url, headers, body: "{}" })).toMatchObject(failed);
  expect(await sender.send({ url: "nonsense", headers: {}, body: "" })).toMatchObject({
    reason: "address_not_allowed",
  });
});

it("keeps few connections open, to any number of receivers", async () => {
  const obliging: Hostility = {
    at: "request",
    act: (socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n"),
  };
  const everyone = await startHostileReceiver(obliging);
  const { port } = new URL(everyone.url);
  const sends = Array.from({ length: 150 }, (_, number) =>
    sender.send({ url: `https://r${number}.receiver.test:${port}/`, headers: {}, body: "{}" }),
  );
  for (const result of await Promise.all(sends)) expect(result).toMatchObject({ httpStatus: 204 });
  // They would all close after a while.
  await expect.poll(() => everyone.openSockets(), { timeout: 500 }).toBeLessThanOrEqual(100);
  await everyone.close();
});

it("fails requests in flight, and all later ones, once it is closed", async () => {
  const closing = createSender({ allowedCidrs: ["127.0.0.1/32"], ca: TEST_CA });
  receiver.answerWith(() => undefined);
  const count = receiver.received.length;
  const inFlight = closing.send({ url: receiver.url, headers: {}, body: "{}" });
  await receiver.arrival(count + 1);
  await closing.close();
  const failed = { httpStatus: null, reason: "connection_failed" };
  expect(await inFlight).toMatchObject(failed);
  expect(await closing.send({ url: receiver.url, headers: {}, body: "{}" })).toMatchObject(failed);
});
