import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, test } from "vitest";
import { addressRule } from "../../../../src/webhooks/egress/address-rules.ts";
import { createConnector } from "../../../../src/webhooks/egress/connector.ts";
import { createSender, type Sender } from "../../../../src/webhooks/egress/sender.ts";
import { freePort } from "../../../support/network/free-port.ts";
import { addressRecords, type NameServer, startNameServer } from "../../../support/network/name-server.ts";
import { type OpenListener, startOpenListener } from "../../../support/network/open-listener.ts";
import { TEST_CA } from "../../../support/webhooks/receiver.ts";
import { inUrl, PRIVATE_NAMES, SPECIAL_IPV4, SPECIAL_IPV6, SPELLINGS } from "./special-addresses.ts";

const REFUSED = { httpStatus: null, reason: "address_not_allowed", durationMs: 0 };
const SPECIAL = [...SPECIAL_IPV4, ...SPECIAL_IPV6];

let listener: OpenListener;
let names: NameServer;
let sender: Sender;

beforeAll(async () => {
  listener = await startOpenListener();
  // a7.receiver.test resolves to the eighth address of the list.
  names = await startNameServer((name, type) =>
    addressRecords(name, type, [SPECIAL[Number(/^a(\d+)\./.exec(name)?.[1])] ?? "127.0.0.1"]),
  );
});
afterAll(async () => {
  await listener.close();
  await names.close();
});

// Node reports every outgoing socket, wherever it leads.
let sockets = 0;
const countSocket = () => {
  sockets += 1;
};
beforeEach(() => {
  sender = createSender({ allowedCidrs: [], ca: TEST_CA, nameServers: [names.address], timeoutMs: 5_000 });
  sockets = 0;
  listener.hits.length = 0;
  subscribe("net.client.socket", countSocket);
});
afterEach(async () => {
  unsubscribe("net.client.socket", countSocket);
  await sender.close();
});

const send = (host: string, port: number = listener.port) =>
  sender.send({ url: `https://${host}:${port}/hook`, headers: {}, body: "{}" });

it("opens no connection to an address that is not public, in any spelling", async () => {
  const hosts = [...SPECIAL.map(inUrl), ...SPELLINGS, ...PRIVATE_NAMES];
  for (const result of await Promise.all(hosts.map((host) => send(host)))) expect(result).toEqual(REFUSED);
  expect(sockets).toBe(0);
  expect(listener.hits).toEqual([]);
});

it("opens no connection to such an address behind a name", async () => {
  const results = await Promise.all(SPECIAL.map((_, number) => send(`a${number}.receiver.test`)));
  for (const result of results) expect(result).toEqual(REFUSED);
  expect(names.asked).toEqual(expect.arrayContaining(SPECIAL.map((_, number) => `a${number}.receiver.test`)));
  expect(sockets).toBe(0);
  expect(listener.hits).toEqual([]);
});

it("gives the same result for an open port, a closed port and a name that leads to them", async () => {
  const closedPort = await freePort();
  const results = [
    await send("127.0.0.1"),
    await send("127.0.0.1", closedPort),
    await send("any.receiver.test"),
    await send("any.receiver.test", closedPort),
    // An address that never answers.
    await send("192.0.2.200"),
  ];
  expect(results).toEqual(results.map(() => REFUSED));
});

it("reaches the ranges that the operator opened, and nothing beside them", async () => {
  const opened = createSender({
    allowedCidrs: ["127.0.0.1/32"],
    ca: TEST_CA,
    nameServers: [names.address],
  });
  const hook = (host: string) => ({
    url: `https://${host}:${listener.port}/hook`,
    headers: {},
    body: "{}",
  });
  expect(await opened.send(hook("127.0.0.1"))).toMatchObject({ httpStatus: 204, reason: null });
  expect(await opened.send(hook("any.receiver.test"))).toMatchObject({ httpStatus: 204, reason: null });
  expect(await opened.send(hook("127.0.0.2"))).toEqual(REFUSED);
  expect(await opened.send(hook("[::1]"))).toEqual(REFUSED);
  expect(listener.hits).toEqual(["127.0.0.1", "127.0.0.1"]);
  await opened.close();
});

test("what is no address is never one that may be reached", async () => {
  const target = { hostname: "any.receiver.test", protocol: "https:", port: "443" };
  for (const found of ["", "receiver", "203.0.113.7.", "2001:db8::g", "203.0.113.7/24"]) {
    const connect = createConnector({ mayReach: addressRule(["0.0.0.0/0"]), lookUp: async () => [found] });
    const connecting = connect(target, new AbortController().signal);
    await expect(connecting).rejects.toThrow("address_not_allowed");
  }
  expect(sockets).toBe(0);
});

test("the socket's own address is checked before a byte is written", async () => {
  const read: (string | Buffer)[] = [];
  const server = createServer((socket) => socket.on("data", (bytes) => read.push(bytes)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // As if the socket connected to another address than the checked one.
  const checked: string[] = [];
  const mayReach = (address: string) => checked.push(address) === 1;
  const connect = createConnector({ mayReach, lookUp: async () => ["127.0.0.1"] });
  const target = {
    hostname: "any.receiver.test",
    protocol: "https:",
    port: String((server.address() as AddressInfo).port),
  };
  const accepted = once(server, "connection") as Promise<[Socket]>;
  await expect(connect(target, new AbortController().signal)).rejects.toThrow("address_not_allowed");
  const [socket] = await accepted;
  if (!socket.closed) await once(socket, "close");
  expect(checked).toEqual(["127.0.0.1", "127.0.0.1"]);
  expect(read).toEqual([]);
  server.close();
});
