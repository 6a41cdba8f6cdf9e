// Bodies that are missing, unreadable, wrong or too large.
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sendRaw } from "../../../support/network/raw-http.ts";
import { detailOf, key, service, useValidatingService } from "./validated-requests.ts";

useValidatingService();

type Write = (data: string, done: (error?: Error | null) => void) => boolean;

describe("a body", () => {
  const post = (
    body: RequestInit["body"],
    headers: Record<string, string> = { "Content-Type": "application/json" },
  ) =>
    fetch(`${service.url}/v1/webhooks`, {
      method: "POST",
      headers: { "X-API-Key": key, ...headers },
      ...(body === undefined ? {} : { body, duplex: "half" }),
    } as RequestInit);
  const good = { url: "https://a.example/in", event_types: ["reinstated"] };

  it("reaches the handler", async () => {
    const answer = await post(JSON.stringify(good), { "Content-Type": "application/json; charset=UTF-8" });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject(good);
  });

  it("is refused with the location of each fault", async () => {
    const body = { url: 7, event_types: ["reinstated", "nonsense"], "a/b~c": 1 };
    const locations = (await detailOf(await post(JSON.stringify(body)))).map(({ loc }) => loc);
    expect(locations).toContainEqual(["body", "url"]);
    expect(locations).toContainEqual(["body", "event_types", 1]);
  });

  it("is refused if it is missing", async () => {
    expect(await detailOf(await post(undefined))).toEqual([
      { loc: ["body"], msg: "is missing", type: "required" },
    ]);
    expect(await detailOf(await post(""))).toEqual([{ loc: ["body"], msg: "is missing", type: "required" }]);
  });

  it("is refused in words if it is no object, or an empty one where one member is needed", async () => {
    expect(await detailOf(await post("[]"))).toEqual([
      { loc: ["body"], msg: "must be an object", type: "type" },
    ]);
    const answer = await service.send("PATCH", "/v1/watchlists/1", { key, body: {} });
    expect(await detailOf(answer)).toEqual([
      { loc: ["body"], msg: "must not be empty", type: "minProperties" },
    ]);
  });

  it.each(["{", "{'a':1}", "\u0000", new Uint8Array([0x22, 0xff, 0x22]), "[".repeat(30_000), "nul"])(
    "is refused as malformed JSON (case %#)",
    async (body) => {
      expect(await detailOf(await post(body))).toEqual([
        { loc: ["body"], msg: "is not valid JSON in UTF-8", type: "parse" },
      ]);
    },
  );

  it("cannot change any prototype", async () => {
    const answer = await post('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(answer.status).toBe(422);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it.each([
    {},
    { "Content-Type": "text/plain" },
    { "Content-Type": "application/jsonx" },
    { "Content-Type": "application/json; charset=latin1" },
    { "Content-Type": "application/json", "Content-Encoding": "gzip" },
  ])("is refused with 415 for %j", async (headers) => {
    const answer = await post(
      new TextEncoder().encode(JSON.stringify(good)),
      headers as Record<string, string>,
    );
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ code: "unsupported_media_type" });
    expect(answer.headers.get("x-ratelimit-limit")).toBe("100000");
  });

  it("is refused with 413 when it is too large, with or without a Content-Length", async () => {
    const large = JSON.stringify({ ...good, filler: "x".repeat(33_000) });
    const unannounced = new ReadableStream({
      start: (controller) => {
        for (const part of large.match(/.{1,4096}/g) ?? [])
          controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    for (const body of [large, unannounced]) {
      const answer = await post(body);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ code: "payload_too_large" });
    }
  });

  it("is not read before the key", async () => {
    const answer = await fetch(`${service.url}/v1/webhooks`, { method: "POST", body: "{" });
    expect(answer.status).toBe(401);
  });

  // A client that reads the answer only after it has sent everything waited for ever.
  it("that is too large can be sent to its end in chunks, and the connection takes another request", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sent = request(`${service.url}/v1/webhooks`, {
      agent,
      method: "POST",
      headers: { "X-API-Key": key, "Content-Type": "application/json", "Transfer-Encoding": "chunked" },
    });
    const answered = once(sent, "response");
    sent.end(Buffer.alloc(8 * 1024 * 1024, " "));
    await once(sent, "finish");
    const [answer] = await answered;
    expect(answer.statusCode).toBe(413);
    await once(answer.resume(), "close");
    const [next] = await once(request(`${service.url}/healthz`, { agent }).end(), "response");
    expect(next.statusCode).toBe(200);
    agent.destroy();
  });

  it("that is too large can be sent to its end in many small chunks", async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const write = promisify(socket.write.bind(socket) as Write);
    const answer = text(socket);
    const head = [
      "POST /v1/webhooks HTTP/1.1",
      "Host: localhost",
      `X-API-Key: ${key}`,
      "Connection: keep-alive",
    ];
    socket.write(
      `${[...head, "Content-Type: application/json", "Transfer-Encoding: chunked"].join("\r\n")}\r\n\r\n`,
    );
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
    for (let sent = 0; sent < 120; sent++) await write(chunk);
    await write("0\r\n\r\n");
    socket.end();
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("of any JSON value is answered 201 or 422, never 500", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect([201, 422]).toContain((await post(JSON.stringify(value))).status);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a body that may be left out", () => {
  // A proxy in front can send chunks where there is no body, and no Content-Type then.
  it.each(["/v1/webhooks/1/rotate", "/v1/keys/k7Rw2mQz/rotate"])(
    "of %s may also be chunks of nothing",
    async (path) => {
      const { key } = await service.createAccount({ scopes: ["webhooks:write", "keys:write"] });
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: close`;
      const answer = await sendRaw(service.port, `${head}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
      // The request was taken, and there is no such endpoint or key.
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    },
  );
});

describe("a body where the operation takes none", () => {
  const PATHS = ["/v1/webhooks/1/test", "/v1/webhooks/1/deliveries/1/resend"];
  const post = (path: string, body: string | ReadableStream | undefined, type: string | null) =>
    fetch(service.url + path, {
      method: "POST",
      headers: { "X-API-Key": key, ...(type === null ? {} : { "Content-Type": type }) },
      ...(body === undefined ? {} : { body, duplex: "half" }),
    } as RequestInit);

  // Clients of 1.0 send such bodies. There is no endpoint 1, so 404 says that the request was taken.
  it.each(PATHS)("of %s may be empty, {} or null", async (path) => {
    for (const [body, type] of [
      [undefined, null],
      [undefined, "application/json"],
      ["", "application/json"],
      ["{}", "application/json"],
      ["null", "application/json"],
      [" {\n}\n", "application/json; charset=utf-8"],
      ["{}", "text/plain"],
      ["", "application/x-www-form-urlencoded"],
      [new Blob(["{}"]).stream(), "application/json"],
    ] as const) {
      const answer = await post(path, body, type);
      expect([body, type, answer.status]).toEqual([body, type, 404]);
    }
  });

  it.each(PATHS)("of %s is refused with any content, also a large one", async (path) => {
    const large = JSON.stringify({ filler: "x".repeat(100_000) });
    for (const [body, type] of [
      ['{"event_type":"reinstated"}', "application/json"],
      ["[]", "application/json"],
      ["{", "application/json"],
      ["event_type=reinstated", "application/x-www-form-urlencoded"],
      ["hello", "text/plain"],
      [large, "application/json"],
      [new Blob([large]).stream(), "application/json"],
    ] as const) {
      expect(await detailOf(await post(path, body, type))).toEqual([
        { loc: ["body"], msg: "must be left out: this operation takes none", type: "unknown" },
      ]);
    }
  });

  it("is not read before the key", async () => {
    const answer = await fetch(service.url + PATHS[0], { method: "POST", body: "hello" });
    expect(answer.status).toBe(401);
  });
});
