// Connections whose clients wait, send slowly or never close: they use a connection for a limited time, and block
// nobody.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bounds } from "../../../../src/api/server.ts";
import { handlers } from "../../../../src/generated/handlers.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { jsonOf, sendRaw } from "../../../support/network/raw-http.ts";
import { type StubbornClient, stubbornClient } from "../../../support/network/stubborn-client.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../../../support/service.ts";
import { until } from "../../../support/webhooks/dispatching.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Another service on the same database, with its own limits. */
const startBounded = (bounds: Bounds, options: TestServiceOptions = {}): Promise<TestService> =>
  startTestService({ ...options, bounds, databaseUrl: service.context.config.databaseUrl ?? "" });

const openConnections = ({ server }: TestService): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

const leaveAll = (clients: StubbornClient[]) => {
  for (const client of clients) client.leave();
};

const HEALTH = "GET /healthz HTTP/1.1\r\nHost: x\r\n";

describe("a client that never closes its side is disconnected", () => {
  const hasty = { headersTimeoutMs: 200, requestTimeoutMs: 400, lingerTimeoutMs: 100 };

  it.each([
    ["after it sent nothing", ""],
    ["after headers that never end", HEALTH],
    ["after a body that never comes", `${HEALTH}Content-Length: 5\r\n\r\n`],
    [
      "after a body that an operation reads",
      "POST /v1/opt-out HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
    ],
    ["after bytes that are no HTTP", "hello\r\n\r\n"],
    ["after its last answer", `${HEALTH}Connection: close\r\n\r\n`],
  ])("%s", async (_when, first) => {
    const bounded = await startBounded(hasty);
    const clients = Array.from({ length: 5 }, () => stubbornClient(bounded.port, { first }));
    await until(() => clients.every((client) => client.received() !== ""));
    await until(async () => (await openConnections(bounded)) === 0);
    for (const client of clients) expect(client.received()).toMatch(/^HTTP\/1\.1 (200|400|408) /);
    leaveAll(clients);
    await bounded.stop();
  });

  it.each([
    ["headers", HEALTH, "X: y\r\n"],
    ["a body", `${HEALTH}Content-Length: 50000\r\n\r\n`, "x"],
    [
      "a body that an operation reads",
      "POST /v1/opt-out HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{",
      " ",
    ],
    ["bytes that are no HTTP", "hello\r\n\r\n", "again\r\n\r\n"],
  ])("while it continues to send %s slowly", async (_what, first, bytes) => {
    const bounded = await startBounded(hasty);
    const clients = Array.from({ length: 5 }, () =>
      stubbornClient(bounded.port, { first, drip: { bytes, everyMs: 20 } }),
    );
    await Promise.all(clients.map(({ cut }) => cut));
    await bounded.stop();
  });
});

describe("when the maximum of connections is open", () => {
  it("those that wait longest for their clients are replaced, and the log reports it once", async () => {
    const { log, lines } = memoryLog();
    const bounded = await startBounded({ mostConnections: 4 }, { log });
    const clients = Array.from({ length: 12 }, (_, index) =>
      stubbornClient(bounded.port, { first: index % 2 === 0 ? "" : "GET / HTTP/1.1\r\n" }),
    );
    for (let time = 0; time < 3; time++) {
      const answer = await sendRaw(bounded.port, `${HEALTH}Connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(await openConnections(bounded)).toBeLessThanOrEqual(4);
    expect(lines().filter(({ mostConnections }) => mostConnections === 4)).toHaveLength(1);
    const metrics = await (await bounded.get("/metrics")).text();
    expect(metrics).toMatch(/^tdf_connections_cut_total\{reason="made_room"\} [1-9]/m);
    leaveAll(clients);
    await bounded.stop();
  });

  it("those kept open after an answer are replaced, the one answered longest ago first", async () => {
    const bounded = await startBounded({ mostConnections: 2 });
    const clients: StubbornClient[] = [];
    for (const index of [0, 1, 2]) {
      const client = stubbornClient(bounded.port, { first: `${HEALTH}\r\n` });
      clients.push(client);
      await until(() => clients[index]?.received().includes("HTTP/1.1 200") ?? false);
    }
    await clients[0]?.ended;
    expect(await openConnections(bounded)).toBe(2);
    leaveAll(clients);
    await bounded.stop();
  });

  it("those whose clients do not read a public answer are replaced", async () => {
    const bounded = await startBounded({ mostConnections: 2 });
    const begun = new Set<ServerResponse>();
    bounded.server.on("request", (_request, response) => begun.add(response));
    // Far more than the kernel accepts for a client that reads nothing.
    const first = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(200);
    const clients = Array.from({ length: 2 }, () => stubbornClient(bounded.port, { first, isDeaf: true }));
    const stuck = () =>
      [...begun].filter(
        ({ socket, headersSent, writableFinished }) => socket && headersSent && !writableFinished,
      );
    await until(() => stuck().length === 2);
    const answer = await sendRaw(bounded.port, `${HEALTH}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    leaveAll(clients);
    await bounded.stop();
  });

  it("those being answered stay, and a new one is refused", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let entered = 0;
    const listFeeds: typeof handlers.listFeeds = async (input, context) => {
      entered += 1;
      await released;
      return handlers.listFeeds(input, context);
    };
    const bounded = await startBounded({ mostConnections: 2 }, { handlers: { ...handlers, listFeeds } });
    const { key } = await bounded.createAccount();
    const ask = `GET /v1/feeds HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`;
    const answers = [sendRaw(bounded.port, ask), sendRaw(bounded.port, ask)];
    await until(() => entered === 2);
    expect(await sendRaw(bounded.port, `${HEALTH}\r\n`)).toBe("");
    release();
    for (const answer of await Promise.all(answers)) expect(jsonOf(answer)).toHaveProperty("data");
    await bounded.stop();
  });
});
