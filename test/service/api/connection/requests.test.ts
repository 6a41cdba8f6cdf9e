import { afterAll, beforeAll, expect, it } from "vitest";
import { memoryLog } from "../../../support/memory-log.ts";
import { jsonOf, sendRaw } from "../../../support/network/raw-http.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService({ env: { PUBLIC_URL: "https://feeds.example.com" } });
  ({ key } = await service.createAccount({ requestsPerMinute: 1_000 }));
});
afterAll(() => service.stop());

it.each(["abc-DEF_1.2", "x".repeat(64)])("uses the sent request id %s", async (id) => {
  const answer = await service.get("/v1/usage", key, { "X-Request-Id": id });
  expect(answer.headers.get("x-request-id")).toBe(id);
});

it.each(["", "x".repeat(65), "two words", "a,b", "ünï"])("creates a request id instead of %j", async (id) => {
  const sent = Buffer.from(id).toString("latin1");
  const answer = await service.get("/v1/usage", key, { "X-Request-Id": sent });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

it("creates another id for each request", async () => {
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => (await service.get("/nowhere")).headers.get("x-request-id")),
  );
  expect(new Set(ids).size).toBe(20);
});

it.each([
  "/nowhere",
  "/v1",
  "/v1/feeds/",
  "/V1/feeds",
  "/v1/feeds/us_brokers",
  "//v1/feeds",
  "/v1/webhooks/",
  "/docs/x",
])("answers 404 not_found to the unknown path %s", async (path) => {
  const answer = await service.get(path, key);
  expect(answer.status).toBe(404);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(await answer.json()).toMatchObject({
    type: `${service.context.config.publicUrl}/problems/not_found`,
    status: 404,
    code: "not_found",
  });
});

it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
  "answers 405 with Allow to %s",
  async (method) => {
    const answer = await fetch(`${service.url}/v1/feeds`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
    expect(await answer.json()).toMatchObject({ code: "method_not_allowed" });
  },
);

it("answers HEAD like GET, without the body", async () => {
  const [head, get] = [
    await fetch(`${service.url}/v1/usage`, { method: "HEAD", headers: { "X-API-Key": key } }),
    await service.get("/v1/usage", key),
  ];
  expect(head.status).toBe(200);
  expect(head.headers.get("content-type")).toBe("application/json");
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(100);
  expect(await head.text()).toBe("");
  expect(get.status).toBe(200);
});

// Express decodes path parameters before any handler of ours runs, and Node's fetch would encode such a path again.
it.each(["/v1/feeds/%E0%A4%A/records", "/v1/carriers/%", "/v1/carriers/%zz", "/problems/%ff"])(
  "answers 400 bad_request to the undecodable path %s",
  async (path) => {
    const answer = await sendRaw(
      service.port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^X-Request-Id: /im);
    expect(jsonOf(answer)).toMatchObject({ status: 400, code: "bad_request" });
  },
);

it.each(["/v1/usage", "/nowhere", "/docs", "/problems", "/healthz", "/openapi.json"])(
  "protects %s from browsers and caches",
  async (path) => {
    const { headers } = await service.get(path, key);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("strict-transport-security")).toContain("max-age=31536000");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("etag")).toBeNull();
  },
);

it("says nothing of https if the service is not reached by it", async () => {
  const plain = await startTestService({ databaseUrl: service.context.config.databaseUrl ?? "" });
  const { headers } = await plain.get("/healthz");
  await plain.stop();
  expect(headers.get("strict-transport-security")).toBeNull();
});

// The log blamed the database, which had nothing to do with it; anyone could cause that without a key.
it.each([
  ["/v1/opt-out", "application/json"],
  ["/v1/carriers/lookup", "application/json"],
  ["/mcp", "application/json"],
  ["/remove", "application/x-www-form-urlencoded"],
])("a request to %s that its client breaks off is no fault of the service", async (path, type) => {
  const { log, lines } = memoryLog();
  const logging = await startTestService({ log });
  try {
    const { key } = await logging.createAccount();
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${type}\r\n`;
    await sendRaw(logging.port, `${head}Content-Length: 50\r\n\r\n{`, { giveUpMs: 300 });
    const broken = () => lines().filter(({ err }) => err !== undefined);
    await expect.poll(broken, { timeout: 10_000 }).toHaveLength(1);
    expect(broken()).toMatchObject([{ level: "debug", msg: "An answer broke off." }]);
  } finally {
    await logging.stop();
  }
});

// Each had another one before, and V8 then found its properties slowly: some 10 µs of each request went there.
it("a request and its answer have the prototypes of Express from the start", async () => {
  const seen: { it: object; prototype: object | null }[] = [];
  service.server.prependOnceListener("request", (...both) => {
    for (const it of both) seen.push({ it, prototype: Object.getPrototypeOf(it) });
  });
  expect((await service.get("/v1/feeds", key)).status).toBe(200);
  expect(seen.map(({ it, prototype }) => Object.getPrototypeOf(it) === prototype)).toEqual([true, true]);
});
