import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createSender, type Sender } from "../../../../src/webhooks/egress/sender.ts";
import {
  addressRecords,
  type NameAnswer,
  type NameServer,
  startNameServer,
} from "../../../support/network/name-server.ts";
import { type OpenListener, startOpenListener } from "../../../support/network/open-listener.ts";
import { startReceiver, TEST_CA } from "../../../support/webhooks/receiver.ts";
import { expectNoRebinding } from "./rebinding.ts";

let listener: OpenListener;
let names: NameServer;
let sender: Sender;
let addresses: readonly string[] = [];
let special: ((name: string) => NameAnswer | undefined) | null = null;

beforeAll(async () => {
  listener = await startOpenListener();
  names = await startNameServer((name, type) => special?.(name) ?? addressRecords(name, type, addresses));
});
afterAll(async () => {
  await listener.close();
  await names.close();
});
// 127.0.0.1 is treated as a public address; all others of this machine are private.
beforeEach(() => {
  sender = createSender({ allowedCidrs: ["127.0.0.1/32"], ca: TEST_CA, nameServers: [names.address] });
  addresses = ["127.0.0.1"];
  special = null;
  listener.hits.length = 0;
});
afterEach(() => sender.close());

const send = (name: string) =>
  sender.send({ url: `https://${name}:${listener.port}/hook`, headers: {}, body: "{}" });
const reasonFor = async (name: string) => (await send(name)).reason;

it("never follows a name from a public address to a private one, in 60 deliveries", async () => {
  await expectNoRebinding(60);
});

it.each([
  [["127.0.0.1", "127.0.0.2"]],
  [["127.0.0.2", "127.0.0.1"]],
  [["127.0.0.1", "::1"]],
  [
    [
      "127.0.0.1",
      "127.0.0.1",
      "127.0.0.1",
      "127.0.0.1",
      "127.0.0.1",
      "127.0.0.1",
      "127.0.0.1",
      "127.0.0.1",
      "10.0.0.1",
    ],
  ],
])("refuses a name that resolves to %j, since not all of them are public", async (answer) => {
  addresses = answer;
  expect(await reasonFor("mixed.receiver.test")).toBe("address_not_allowed");
  expect(listener.hits).toEqual([]);
});

it("tries the next address of a name when nothing listens at the first", async () => {
  // Listens only at 127.0.0.1.
  const receiver = await startReceiver();
  const opened = createSender({
    allowedCidrs: ["127.0.0.1/32", "127.0.0.3/32"],
    ca: TEST_CA,
    nameServers: [names.address],
  });
  addresses = ["127.0.0.3", "127.0.0.1"];
  const url = `https://two.receiver.test:${receiver.port}/hook`;
  expect(await opened.send({ url, headers: {}, body: "{}" })).toMatchObject({ httpStatus: 204 });
  await opened.close();
  await receiver.close();
});

it("checks the address at the end of a chain of aliases", async () => {
  const chainTo =
    (end: string) =>
    (name: string): NameAnswer => [
      { type: "CNAME", name, ttl: 0, data: "b.receiver.test" },
      { type: "CNAME", name: "b.receiver.test", ttl: 0, data: "c.receiver.test" },
      { type: "A", name: "c.receiver.test", ttl: 0, data: end },
    ];
  special = chainTo("127.0.0.2");
  expect(await reasonFor("chain.receiver.test")).toBe("address_not_allowed");
  expect(listener.hits).toEqual([]);
  special = chainTo("127.0.0.1");
  expect(await reasonFor("chain.receiver.test")).toBeNull();
});

it("fails for a name that does not exist, has no address, or is an alias of itself", async () => {
  special = () => "no such name";
  expect(await reasonFor("nobody.receiver.test")).toBe("connection_failed");
  special = () => [];
  expect(await reasonFor("empty.receiver.test")).toBe("connection_failed");
  special = (name) => [{ type: "CNAME", name, ttl: 0, data: name }];
  expect(await reasonFor("circle.receiver.test")).toBe("connection_failed");
});

it("resolves a healthy receiver's name at once while 50 names get no answer", async () => {
  let givenUp = 0;
  const givenUpBefore: number[] = [];
  special = (name) => {
    if (name.startsWith("black")) return "silence";
    givenUpBefore.push(givenUp);
    return undefined;
  };
  const hanging = Array.from({ length: 50 }, (_, number) =>
    send(`black${number}.receiver.test`).then(() => {
      givenUp += 1;
    }),
  );
  const healthy = await Promise.all(
    [1, 2, 3, 4, 5].map((number) => reasonFor(`healthy${number}.receiver.test`)),
  );
  expect(healthy).toEqual([null, null, null, null, null]);
  expect(new Set(givenUpBefore)).toEqual(new Set([0]));
  await sender.close();
  await Promise.all(hanging);
});
