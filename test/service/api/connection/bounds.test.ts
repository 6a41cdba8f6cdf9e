import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonOf, sendRaw } from "../../../support/network/raw-http.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ bounds: { headersTimeoutMs: 300 } });
});
afterAll(() => service.stop());

const isServed = async () => expect((await service.get("/healthz")).status).toBe(200);

describe("a connection that sends no valid request is answered with a problem and closed", () => {
  it.each([
    ["headers above 16 KB", `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Filler: ${"x".repeat(20_000)}\r\n\r\n`],
    ["an address above 16 KB", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ["no HTTP", "hello\r\n\r\n"],
    ["a bad header", "GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n"],
    ["two lengths", "POST /v1/feeds HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    [
      "a length beside chunks",
      "POST /v1/feeds HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a bare line feed", "GET / HTTP/1.1\nHost: x\n\n\u0000"],
  ])("%s", async (_what, bytes) => {
    const answer = await sendRaw(service.port, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).toMatch(/^Content-Type: application\/problem\+json\r$/im);
    expect(answer).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/im);
    expect(jsonOf(answer)).toMatchObject({ status: 400, code: "bad_request" });
    await isServed();
  });

  it("headers that arrive too slowly", async () => {
    const answer = await sendRaw(service.port, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    expect(jsonOf(answer)).toMatchObject({ status: 408, code: "request_timeout" });
    await isServed();
  });

  it("a body that arrives too slowly", async () => {
    const databaseUrl = service.context.config.databaseUrl ?? "";
    const hasty = await startTestService({
      databaseUrl,
      bounds: { headersTimeoutMs: 300, requestTimeoutMs: 600 },
    });
    const begun = "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc";
    const answer = await sendRaw(hasty.port, begun);
    // The path is known at once and answered; the rest of the request is then cut.
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    await hasty.stop();
  });
});

describe("a request that does not name one host is answered with a problem and closed", () => {
  it.each([
    ["without Host", ["GET /healthz HTTP/1.1"]],
    ["with two Hosts", ["GET /healthz HTTP/1.1", "Host: x", "Host: y"]],
    ["with the same Host twice", ["GET /healthz HTTP/1.1", "Host: x", "hOST: x"]],
    ["with two Hosts of an old version", ["GET /healthz HTTP/1.0", "Host: x", "Host: y"]],
    ["with an invalid Host", ["GET /healthz HTTP/1.1", "Host: x/y"]],
    ["with a user in its Host", ["GET /healthz HTTP/1.1", "Host: a@x"]],
    ["with an absolute address instead of Host", ["GET http://x/healthz HTTP/1.1"]],
    ["with an Expect header", ["GET /healthz HTTP/1.1", "Expect: a-miracle"]],
    ["for an unknown path", ["GET /nowhere HTTP/1.1"]],
  ])("%s", async (_what, lines) => {
    const answer = await sendRaw(service.port, `${lines.join("\r\n")}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^Content-Type: application\/problem\+json\r$/im);
    expect(answer).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/im);
    expect(jsonOf(answer)).toMatchObject({ status: 400, code: "bad_request" });
  });

  it.each([
    ["an old version without Host", ["GET /healthz HTTP/1.0"]],
    ["an empty Host", ["GET /healthz HTTP/1.1", "Host:"]],
    ["an IPv6 address with a port", ["GET /healthz HTTP/1.1", "Host: [::1]:3000"]],
    ["a name with a port", ["GET /healthz HTTP/1.1", "Host: api.freight.example:8080"]],
  ])("but not with %s", async (_what, lines) => {
    const answer = await sendRaw(service.port, `${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("problems of the contract replace Node's own answers", () => {
  it.each([
    [
      "an unknown Expect",
      "GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n",
    ],
    [
      "an upgrade",
      "GET /nowhere HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n",
    ],
    ["an address without a path", "GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
    ["HTTP/1.0", "GET /nowhere HTTP/1.0\r\n\r\n"],
    [
      "an address with a host",
      "GET http://elsewhere/nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ],
  ])("%s", async (_what, bytes) => {
    const answer = await sendRaw(service.port, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(jsonOf(answer)).toMatchObject({ code: "not_found" });
  });
});

it("keeps serving others while many connections send nothing, and cuts these", async () => {
  const silent = Array.from({ length: 100 }, () => connect(service.port, "127.0.0.1"));
  const closed = silent.map((socket) => {
    socket.on("error", () => {});
    socket.resume();
    socket.write("GET / HTTP/1.1\r\n");
    return new Promise((resolve) => socket.on("close", resolve));
  });
  await isServed();
  await Promise.all(closed);
  await isServed();
});
