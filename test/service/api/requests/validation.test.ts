import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handlers } from "../../../../src/generated/handlers.ts";
import type { Handler, Handlers } from "../../../../src/generated/operations.ts";
import { sendRaw } from "../../../support/network/raw-http.ts";
import { startTestService, type TestService } from "../../../support/service.ts";

let service: TestService;
let key: string;

// The tests replace the handlers: they are about validation only. Handlers have their own tests.
const createWebhook: Handler<"createWebhook"> = async ({ body }) => ({
  status: 201,
  body: { id: 1, url: body.url, event_types: body.event_types, secret: "s" } as never,
});

const listEvents: Handler<"listEvents"> = async ({ query }) => ({ status: 200, body: query as never });

beforeAll(async () => {
  service = await startTestService({ handlers: { ...handlers, createWebhook, listEvents } as Handlers });
  ({ key } = await service.createAccount({ requestsPerMinute: 100_000, feeds: { us_brokers: null } }));
});
afterAll(() => service.stop());

type Detail = { loc: (string | number)[]; msg: string; type: string }[];

async function detailOf(answer: Response): Promise<Detail> {
  expect(answer.status).toBe(422);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("x-ratelimit-limit")).toBe("100000");
  return ((await answer.json()) as { detail: Detail }).detail;
}

const RECORDS = "/v1/feeds/us_brokers/records";

describe("a query", () => {
  it("is refused with all its faults at once, each in words", async () => {
    const answer = await service.get(`${RECORDS}?page=0&page_size=1001&since=2026-02-30&version=x`, key);
    expect(await detailOf(answer)).toEqual([
      { loc: ["query", "since"], msg: "must be a date like 2026-11-21", type: "format" },
      { loc: ["query", "page"], msg: "must be at least 1", type: "minimum" },
      { loc: ["query", "page_size"], msg: "must be at most 1000", type: "maximum" },
      { loc: ["query", "version"], msg: "must be a whole number", type: "type" },
    ]);
  });

  // Ajv's own coercion reads most of these as numbers.
  it.each([
    "1e2",
    "100.0",
    "%2B5",
    " 5",
    "5%20",
    "0x10",
    "%D9%A3",
    "",
    "NaN",
    "1_0",
    "--5",
    "99999999999999999999",
    "1%00",
  ])("is refused for the page size %j", async (text) => {
    const [fault, ...others] = await detailOf(await service.get(`${RECORDS}?page_size=${text}`, key));
    expect(fault?.loc).toEqual(["query", "page_size"]);
    expect(others).toEqual([]);
  });

  it("ignores leading zeros", async () => {
    // Not live yet: validation accepted it.
    expect((await service.get(`${RECORDS}?page_size=0100`, key)).status).toBe(403);
  });

  it("is refused for a parameter given twice", async () => {
    expect(await detailOf(await service.get(`${RECORDS}?page=1&page=1`, key))).toEqual([
      { loc: ["query", "page"], msg: "must not be given more than once", type: "repeated" },
    ]);
  });

  it.each([
    "page_size=1",
    "__proto__=1",
    "constructor=1",
    "%E0%A4%A=1",
    "=",
    "state[]=TX",
    `${"n".repeat(3000)}=1`,
  ])("is refused for the unknown parameter of %j where the operation has no filters", async (search) => {
    const [fault, ...others] = await detailOf(await service.get(`/v1/usage?${search}`, key));
    const msg = "is not a parameter of this operation, which takes none in the query";
    expect(fault).toMatchObject({ msg, type: "unknown" });
    expect(fault?.loc[0]).toBe("query");
    expect(others).toEqual([]);
  });

  it("is refused for an unknown parameter with the names of the known ones", async () => {
    const msg =
      "is not a parameter of this operation; allowed are type, since, state, usdot, watchlist, limit, cursor";
    expect(await detailOf(await service.get("/v1/events?page=1", key))).toEqual([
      { loc: ["query", "page"], msg, type: "unknown" },
    ]);
  });

  it("reaches the handler in its types, lists from commas and repetitions alike, with defaults", async () => {
    const answer = await service.get(
      "/v1/events?state=TX,%20OK&state=ca&type=reinstated%20,+authority_inactive&cursor=a%2Cb&since=2026-11-21T00:00:00Z",
      key,
    );
    expect(await answer.json()).toEqual({
      type: ["reinstated", "authority_inactive"],
      state: ["TX", "OK", "ca"],
      cursor: "a,b",
      since: "2026-11-21T00:00:00Z",
      limit: 100,
    });
  });

  it.each([
    ["cursor=a%00b", ["query", "cursor"]],
    ["state=TX,O%0A", ["query", "state"]],
    ["state=TX,,CA", ["query", "state", 1]],
    ["type=reinstated,nonsense", ["query", "type", 1]],
    ["since=2026-11-21", ["query", "since"]],
  ])("is refused for %s with its location", async (search, location) => {
    const locations = (await detailOf(await service.get(`/v1/events?${search}`, key))).map(({ loc }) => loc);
    expect(locations).toEqual([location]);
  });

  it("is refused for a filter that is not in UTF-8", async () => {
    const records = "/v1/feeds/us_insurance_lapse_alerts/records?insurer=";
    const [fault] = await detailOf(await service.get(`${records}CAF%E9`, key));
    expect(fault).toMatchObject({ loc: ["query", "insurer"], type: "encoding" });
    for (const name of ["CAF%C3%A9", "CAF%EF%BF%BD", "100%"])
      expect((await service.get(`${records}${name}`, key)).status, name).not.toBe(422);
  });

  it("is refused with at most 100 faults", async () => {
    const search = Array.from({ length: 1_000 }, (_, index) => `p${index}=1`).join("&");
    expect(await detailOf(await service.get(`/v1/usage?${search}`, key))).toHaveLength(100);
  });
});

describe("a path", () => {
  it.each(["abc", "123456789", "1%002", "-1", "1.5", "%20", "%F0%9F%9A%9A"])(
    "is refused for the USDOT number %j",
    async (dot) => {
      const detail = await detailOf(await service.get(`/v1/carriers/${dot}`, key));
      expect(detail[0]?.loc).toEqual(["path", "dot"]);
    },
  );

  it("is refused for control characters in a text without a format", async () => {
    expect(await detailOf(await service.get("/v1/feeds/us%00brokers/records", key))).toEqual([
      { loc: ["path", "code"], msg: "must not contain control characters", type: "control_character" },
    ]);
  });
});

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
