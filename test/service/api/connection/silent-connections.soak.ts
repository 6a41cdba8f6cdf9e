// The default limits of a service, against crowds of clients that never close.
import { afterAll, beforeAll, expect, it } from "vitest";
import { jsonOf, sendRaw } from "../../../support/network/raw-http.ts";
import { type StubbornClient, stubbornClient } from "../../../support/network/stubborn-client.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { until } from "../../../support/webhooks/dispatching.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const ASK = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

const openConnections = (): Promise<number> =>
  new Promise((resolve) => service.server.getConnections((_error, count) => resolve(count)));

const leaveAll = (clients: StubbornClient[]) => {
  for (const client of clients) client.leave();
};

it("2,050 silent connections block nobody for more than 5 s", async () => {
  const clients = Array.from({ length: 2_050 }, () => stubbornClient(service.port));
  await until(async () => (await openConnections()) >= 2_000);
  let longestMs = 0;
  for (const end = performance.now() + 20_000; performance.now() < end; ) {
    const askedAt = performance.now();
    expect(jsonOf(await sendRaw(service.port, ASK))).toEqual({ status: "ok" });
    longestMs = Math.max(longestMs, performance.now() - askedAt);
  }
  console.log(`Beside 2,050 silent connections the longest answer took ${Math.round(longestMs)} ms.`);
  expect(longestMs).toBeLessThan(5_000);
  expect(await openConnections()).toBe(0);
  leaveAll(clients);
});

it("50 connections that send slowly are closed within 40 s", async () => {
  const begun = performance.now();
  const body =
    "POST /v1/opt-out HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{";
  const clients = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0
      ? stubbornClient(service.port, { first: "GET / HTTP/1.1\r\nX: ", drip: { bytes: "x", everyMs: 500 } })
      : stubbornClient(service.port, { first: body, drip: { bytes: " ", everyMs: 500 } }),
  );
  await Promise.all(clients.map(({ cut }) => cut));
  const seconds = (performance.now() - begun) / 1000;
  console.log(`The last of 50 dripping connections was closed after ${seconds.toFixed(1)} s.`);
  expect(seconds).toBeLessThan(40);
});
