import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stopApi } from "../../../../src/api/connection/stop.ts";
import { createAdmin, createApi, listen } from "../../../../src/api/server.ts";
import { handlers } from "../../../../src/generated/handlers.ts";
import { entryContextOf } from "../../../../src/platform/context.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.createAccount());
});
afterAll(() => service.stop());

/** A server whose GET /v1/feeds waits for `release`. */
async function startSlow() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const listFeeds: typeof handlers.listFeeds = async (input, context) => {
    enter();
    await released;
    return handlers.listFeeds(input, context);
  };
  const app = await createApi(entryContextOf(service.context), { handlers: { ...handlers, listFeeds } });
  const server = await listen(entryContextOf(service.context), app, { host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { app, server, url, release, entered };
}

it("first says that it is not ready, finishes running requests, and accepts no new ones", async () => {
  const { app, server, url, release, entered } = await startSlow();
  const running = fetch(`${url}/v1/feeds`, { headers: { "X-API-Key": key } });
  await entered;
  const stopped = stopApi(app, server, { graceMs: 30_000, noticeMs: 300 });
  const probe = await fetch(`${url}/readyz`);
  expect(probe.status).toBe(503);
  expect(await probe.json()).toEqual({ status: "stopping" });
  expect(probe.headers.get("connection")).toBe("close");
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  while (server.listening) await new Promise(setImmediate);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  release();
  const answer = await running;
  expect(answer.status).toBe(200);
  expect(answer.headers.get("connection")).toBe("close");
  await stopped;
});

it("is not ready on ADMIN_PORT while it stops, and alive", async () => {
  let isGoingDown = false;
  const admin = createAdmin(entryContextOf(service.context), () => isGoingDown);
  const server = await listen(entryContextOf(service.context), admin, { host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  isGoingDown = true;
  const probe = await fetch(`${url}/readyz`);
  expect([probe.status, await probe.json()]).toEqual([503, { status: "stopping" }]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await stopApi(admin, server, { graceMs: 50, noticeMs: 0 });
});

it("cuts requests that do not finish in time", async () => {
  const { app, server, url, entered } = await startSlow();
  const running = fetch(`${url}/v1/feeds`, { headers: { "X-API-Key": key } });
  const cut = expect(running).rejects.toThrow();
  await entered;
  await stopApi(app, server, { graceMs: 50, noticeMs: 0 });
  await cut;
});

it("closes idle connections", async () => {
  const { app, server, url } = await startSlow();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await stopApi(app, server, { graceMs: 60_000, noticeMs: 0 });
});

/** The answer of a server to a GET that does not go through the connections of fetch. */
const answerOf = (address: string, agent?: Agent) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(address, { agent: agent ?? false }, (answer) => resolve(answer.resume()));
    request.once("error", reject);
  });

// Without a proxy before the service, clients learn of the stop only by the answer of their next request.
it("answers the next request of a connection that was kept open, and closes it then", async () => {
  const { app, server, url } = await startSlow();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = await answerOf(`${url}/healthz`, agent);
  expect([before.statusCode, before.headers.connection]).toEqual([200, "keep-alive"]);
  const stopped = stopApi(app, server, { graceMs: 30_000, noticeMs: 0, idleMs: 10_000 });
  while (server.listening) await new Promise(setImmediate);
  const next = await answerOf(`${url}/healthz`, agent);
  expect([next.statusCode, next.headers.connection]).toEqual([200, "close"]);
  await stopped;
});

// A connection waits in the system's queue until the process takes it, one in each turn.
it("answers on connections that were open before it stopped, though it had not taken them yet", async () => {
  const { app, server, url } = await startSlow();
  const answers = Array.from({ length: 40 }, () => answerOf(`${url}/healthz`));
  const stopped = stopApi(app, server, { graceMs: 30_000, noticeMs: 0, idleMs: 10_000 });
  for (const { statusCode, headers } of await Promise.all(answers))
    expect([statusCode, headers.connection]).toEqual([200, "close"]);
  await stopped;
  await expect(answerOf(`${url}/healthz`)).rejects.toThrow();
});

// Each answer says that the connection closes, so a busy client opens another one at once, and never was there none that waits.
it.each([1, 2, 3, 4, 5, 6])("resets no connection of clients in another thread, time %i", async () => {
  const { app, server, url } = await startSlow();
  const clients = new Worker(new URL("busy-clients.ts", import.meta.url), { workerData: `${url}/healthz` });
  expect(await once(clients, "message")).toEqual(["answered"]);
  const [[faults]] = await Promise.all([
    once(clients, "message"),
    stopApi(app, server, { graceMs: 30_000, noticeMs: 0, idleMs: 10_000 }),
  ]);
  expect(faults).toEqual(["ECONNREFUSED"]);
});
