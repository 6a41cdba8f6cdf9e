import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { VERSION } from "../src/generated/version.ts";
import { createClient, type TruckingDataFeed, TruckingDataFeedError } from "../src/index.ts";
import { customerOf, publishBrokers } from "./brokers.ts";
import { startRawServer } from "./raw-server.ts";

let service: TestService;
let tdf: TruckingDataFeed;
beforeAll(async () => {
  service = await startTestService();
  await publishBrokers(service, [4_400_000]);
  tdf = await customerOf(service);
});
afterAll(() => service.stop());

async function failureOf(calling: Promise<unknown>): Promise<TruckingDataFeedError> {
  const error = await calling.then(() => null).catch((thrown: unknown) => thrown);
  if (error instanceof TruckingDataFeedError) return error;
  throw new Error(`It should have failed with our error, not with ${error}.`);
}

describe("an error of the service", () => {
  it("has the code, status, words and request id of a wrong key, and never the key", async () => {
    const apiKey = "tdf_live_000000000000_secret";
    const error = await failureOf(createClient({ apiKey, baseUrl: service.url }).feeds());
    expect(error).toMatchObject({
      name: "TruckingDataFeedError",
      code: "invalid_api_key",
      status: 401,
      retryAfterSeconds: null,
      faults: [],
      isTemporary: false,
    });
    expect(error.requestId).toMatch(/\w{10}/);
    expect(error.message).toBe(`${error.detail} (invalid_api_key, 401, request ${error.requestId})`);
    expect(JSON.stringify({ ...error, text: String(error.stack) })).not.toContain(apiKey);
  });

  it("is not_found for a carrier that is in no feed", async () => {
    expect(await failureOf(tdf.carrier(99_999_999))).toMatchObject({ code: "not_found", status: 404 });
    const { records, company } = await tdf.carrier("4400000");
    expect([company, records[0]?.feed, records[0]?.record.dot_number]).toEqual([
      "BROKER 4400000 LLC",
      "us_brokers",
      "4400000",
    ]);
  });

  // It blamed the address, or a proxy.
  it("is not_modified for a page that the caller has", async () => {
    const pages = tdf.records("us_brokers").pages().withResponse();
    const page = (await pages.next()).value;
    const tag = page?.response.headers.get("etag") ?? "";
    const again = tdf.records("us_brokers", {}, { headers: { "If-None-Match": tag } }).pages();
    const error = await failureOf(again.next());
    expect(error).toMatchObject({ code: "not_modified", status: 304, isTemporary: false });
  });

  it("says which part of the request is not valid", async () => {
    const error = await failureOf(tdf.carrier("12a"));
    expect(error).toMatchObject({
      code: "invalid_request",
      status: 422,
      faults: [{ loc: ["path", "dot"], type: "pattern" }],
    });
    expect(error.detail).toMatch(/^path\.dot must be 1 to 8 digits\.$/);
  });
});

describe("an answer that is not the service's", () => {
  it.each([
    [
      "a page",
      200,
      { "content-type": "text/html" },
      "<h1>Welcome</h1>",
      /did not answer as the service does/,
    ],
    ["broken JSON", 200, { "content-type": "application/json" }, '{"data":', /did not answer as the service/],
    ["a proxy's error", 403, { "content-type": "text/html" }, "no", /Check baseUrl, and the proxies/],
    [
      "a redirect, which is not followed with the key",
      301,
      { location: "https://elsewhere.example/v1/feeds" },
      "",
      /redirects to https:\/\/elsewhere\.example\/v1\/feeds\. Set baseUrl/,
    ],
  ])("is an error: %s", async (_what, status, headers, body, words) => {
    const server = await startRawServer((_request, response) => {
      response.writeHead(status, headers).end(body);
    });
    const error = await failureOf(createClient({ apiKey: "any", baseUrl: server.url }).feeds());
    expect(error).toMatchObject({ code: "unexpected_answer", status, isTemporary: false });
    expect(error.detail).toMatch(words);
    await server.close();
  });

  it.each([408, 429, 500, 503, 522])("is temporary with status %i", async (status) => {
    const server = await startRawServer((_request, response) => {
      response.writeHead(status, { "content-type": "text/html" }).end("down");
    });
    const client = createClient({ apiKey: "any", baseUrl: server.url, maxRetries: 0 });
    expect(await failureOf(client.feeds())).toMatchObject({ status, isTemporary: true });
    await server.close();
  });

  // An empty one was data without members, a page the file of an export, and the others a TypeError.
  it.each(["", "null", "[]", '"up"', '{"detail":[{"message":"no"}]}'])(
    "is told by %j instead of JSON of ours",
    async (text) => {
      const status = text.startsWith("{") ? 400 : 200;
      const server = await startRawServer((request, response) => {
        const isExport = request.url?.includes("export");
        if (isExport)
          return response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>");
        response.writeHead(status, { "content-type": "application/json" }).end(text);
      });
      const client = createClient({ apiKey: "any", baseUrl: server.url, maxRetries: 0 });
      for (const calling of [client.usage(), client.feeds(), client.events().pages().next()])
        expect(await failureOf(calling)).toMatchObject({ code: "unexpected_answer", status });
      const opening = client.openExport("us_brokers");
      expect(await failureOf(opening)).toMatchObject({ code: "unexpected_answer", status: 200 });
      await server.close();
    },
  );

  it("is a timeout when it does not come", async () => {
    const server = await startRawServer(() => {});
    const options = { apiKey: "any", baseUrl: server.url, timeoutMs: 20, maxRetries: 0 };
    expect(await failureOf(createClient(options).feeds())).toMatchObject({
      code: "timeout",
      status: null,
      isTemporary: true,
      detail: "The service did not answer within 20 ms.",
    });
    await server.close();
  });

  it("is not waited for when the signal aborts", async () => {
    const stop = new AbortController();
    const server = await startRawServer(() => stop.abort(new Error("stopped")));
    const silent = createClient({ apiKey: "any", baseUrl: server.url });
    await expect(silent.feeds({ signal: stop.signal })).rejects.toThrow("stopped");
    await expect(silent.feeds({ signal: stop.signal })).rejects.toThrow("stopped");
    await server.close();
  });
});

it("each request names the program, the SDK and its version, and carries the key", async () => {
  const seen: unknown[] = [];
  const server = await startRawServer(({ url, headers }, response) => {
    seen.push([url, headers["user-agent"], headers["x-api-key"]]);
    response.writeHead(200, { "content-type": "application/json" }).end('{"data":[]}');
  });
  const options = { apiKey: " the-key\n", baseUrl: `${server.url}/`, userAgent: "my-program/2.0" };
  await createClient(options).feeds();
  expect(seen).toEqual([["/v1/feeds", `my-program/2.0 trucking-data-feed-sdk/${VERSION}`, "the-key"]]);
  await server.close();
});

it.each([
  [{ apiKey: "", baseUrl: "http://127.0.0.1:3000" }, "apiKey is empty"],
  [{ apiKey: "any", baseUrl: "api.example.com" }, "baseUrl is no address: api.example.com."],
  [{ apiKey: "any", baseUrl: "ftp://api.example.com" }, "baseUrl is no address"],
  [{ apiKey: "any", baseUrl: "https://api.example.com/v1/" }, "Leave /v1 out of baseUrl"],
])("createClient refuses %j", (options, words) => {
  expect(() => createClient(options)).toThrow(words);
});
