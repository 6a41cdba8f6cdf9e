import { expect, it } from "vitest";
import { createSender, type Sender } from "../../../../src/webhooks/egress/sender.ts";
import {
  HOSTILITIES,
  type HostileReceiver,
  startHostileReceiver,
} from "../../../support/webhooks/hostile-receivers.ts";
import { startReceiver, TEST_CA } from "../../../support/webhooks/receiver.ts";

/** A deadline later than the end of every test. */
const FAR_MS = 3_600_000;
const AT_ONCE = 3;

const openSender = (timeoutMs: number): Sender =>
  createSender({ allowedCidrs: ["127.0.0.0/8"], ca: TEST_CA, timeoutMs });

interface Ending {
  httpStatus: number | null;
  reason: string | null;
}

/** Sends a few requests at once to a receiver, waits until all its sockets are closed, and returns the results. */
async function endings(
  name: keyof typeof HOSTILITIES,
  timeoutMs: number,
  look: (receiver: HostileReceiver, sender: Sender) => unknown = () => {},
): Promise<Ending[]> {
  const sender = openSender(timeoutMs);
  const receiver = await startHostileReceiver(HOSTILITIES[name]);
  try {
    const send = () => sender.send({ url: receiver.url, headers: {}, body: "{}" });
    const results = await Promise.all(Array.from({ length: AT_ONCE }, send));
    await look(receiver, sender);
    await expect.poll(() => receiver.openSockets(), { timeout: 20_000 }).toBe(0);
    return results.map(({ httpStatus, reason }) => ({ httpStatus, reason }));
  } finally {
    await sender.close();
    await receiver.close();
  }
}

it("ends at the deadline when the receiver never ends, and closes its socket", async () => {
  const ended = await Promise.all(
    (
      [
        "a body that drips",
        "headers that drip",
        "silence after the request",
        "silence after the headers",
        "silence instead of TLS",
        "TLS that drips",
      ] as const
    ).map((name) => endings(name, 1_000)),
  );
  expect(new Set(ended.flat().map(({ reason }) => reason))).toEqual(new Set(["timed_out"]));
});

it.each([
  "1 MB of headers",
  "a header without end",
  "a status line without end",
  "blank lines without end",
  "early hints without end",
] as const)("stops reading %s", async (name) => {
  const expected = { httpStatus: null, reason: "answer_too_large" };
  expect(await endings(name, FAR_MS)).toEqual(Array(AT_ONCE).fill(expected));
});

it.each([
  "a body without end",
  "10 GB of body",
  "a chunk's extension without end",
  "trailers without end",
] as const)("counts the 2xx before %s as success, and stops reading", async (name) => {
  const isLittle = ({ writtenBytes }: HostileReceiver) =>
    // By then the buffers of both sides are full.
    expect(writtenBytes()).toBeLessThan(AT_ONCE * 16_000_000);
  const expected = { httpStatus: 200, reason: null };
  expect(await endings(name, FAR_MS, isLittle)).toEqual(Array(AT_ONCE).fill(expected));
});

it.each([
  ["a gzip bomb", { httpStatus: 200, reason: null }],
  ["HTTP/1.0", { httpStatus: 200, reason: null }],
  ["a hang-up after the request", { httpStatus: null, reason: "connection_failed" }],
  ["a hang-up in the body", { httpStatus: 200, reason: "connection_failed" }],
  ["another protocol", { httpStatus: null, reason: "connection_failed" }],
  ["a change of protocol", { httpStatus: null, reason: "connection_failed" }],
  ["plain HTTP instead of TLS", { httpStatus: null, reason: "tls_failed" }],
] as const)("ends correctly after %s", async (name, expected) => {
  const close = (_receiver: HostileReceiver, sender: Sender) => sender.close();
  expect(await endings(name, FAR_MS, close)).toEqual(Array(AT_ONCE).fill(expected));
});

it("fails at a reset instead of TLS, or just before", async () => {
  for (const { httpStatus, reason } of await endings("a reset instead of TLS", FAR_MS)) {
    expect(httpStatus).toBeNull();
    expect(["tls_failed", "connection_failed"]).toContain(reason);
  }
});

it("ignores an answer that was sent before its request", async () => {
  const refused = { httpStatus: 500, reason: "answer_not_2xx" };
  const sendMore = async ({ url }: HostileReceiver, sender: Sender) => {
    for (let sent = 0; sent < 10; sent += 1) {
      expect(await sender.send({ url, headers: {}, body: "{}" })).toMatchObject(refused);
    }
  };
  expect(await endings("two answers to each request", FAR_MS, sendMore)).toEqual(
    Array(AT_ONCE).fill(refused),
  );
});

it("uses one connection to one receiver while another holds fifty deliveries", async () => {
  const sender = openSender(FAR_MS);
  const hostile = await startHostileReceiver(HOSTILITIES["silence after the request"]);
  const healthy = await startReceiver();
  const held = Array.from({ length: 50 }, () => sender.send({ url: hostile.url, headers: {}, body: "{}" }));
  for (let sent = 0; sent < 20; sent += 1) {
    const result = await sender.send({ url: healthy.url, headers: {}, body: "{}" });
    expect(result).toMatchObject({ httpStatus: 204, reason: null });
  }
  expect(healthy.connections()).toBe(1);
  await sender.close();
  for (const { reason } of await Promise.all(held)) expect(reason).toBe("connection_failed");
  await hostile.close();
  await healthy.close();
});
