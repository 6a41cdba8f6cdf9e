import { request } from "node:http";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AMPLE, startServiceOfEveryFeed } from "../../support/feeds/every-feed.ts";
import type { TestService } from "../../support/service.ts";

const FEED = "us_new_authority_weekly";
const PAGE = `/v1/feeds/${FEED}/records?page_size=100`;
const SMALL_PAGE = `/v1/feeds/${FEED}/records?page=1000`;
const EXPORT = `/v1/feeds/${FEED}/export.csv`;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startServiceOfEveryFeed();
  ({ key } = await service.createAccount(AMPLE));
});
afterAll(() => service.stop());

interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  bytes: Buffer;
}

/** The answer as it is on the wire: fetch would decompress it. */
const ask = (path: string, accepted: string | null, how: { method?: string; ifNoneMatch?: string } = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const headers = {
      "X-API-Key": key,
      ...(accepted !== null && { "Accept-Encoding": accepted }),
      ...(how.ifNoneMatch !== undefined && { "If-None-Match": how.ifNoneMatch }),
    };
    request(service.url + path, { method: how.method ?? "GET", headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode, headers: response.headers, bytes });
    })
      .on("error", reject)
      .end();
  });

const UNPACK: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  zstd: promisify(zlib.zstdDecompress),
  br: promisify(zlib.brotliDecompress),
  gzip: promisify(zlib.gunzip),
};

// Accept-Encoding of clients and the coding of the answer: the client's preference first, then the cheapest.
const CHOICES: [accepted: string | null, coding: string | undefined][] = [
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["GZIP;q=0.3", "gzip"],
  ["zstd;q=0.5, br;q=0.8, gzip;q=0.1", "br"],
  ["*", "zstd"],
  ["zstd;q=0, *;q=0.1", "br"],
  ["gzip;q=0.5, identity", undefined],
  ["identity, gzip", "gzip"],
  ["identity", undefined],
  ["gzip;q=0", undefined],
  ["*;q=0", undefined],
  ["deflate, compress", undefined],
  ["", undefined],
  [null, undefined],
];

describe.each([
  ["a page", PAGE],
  ["an export", EXPORT],
])("%s", (_what, path) => {
  it.each(CHOICES)(
    "to a client that accepts %j is encoded as %s, with the same content",
    async (accepted, coding) => {
      const plain = await ask(path, null);
      const { status, headers, bytes } = await ask(path, accepted);
      expect([status, headers["content-encoding"], headers.vary]).toEqual([200, coding, "Accept-Encoding"]);
      const unpack = UNPACK[coding ?? ""];
      expect((unpack ? await unpack(bytes) : bytes).equals(plain.bytes)).toBe(true);
      if (coding) expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      if (path === PAGE) expect(headers["content-length"]).toBe(String(bytes.length));
      // A strong tag identifies the bytes.
      expect(headers.etag).toBe(coding ? `W/${plain.headers.etag}` : plain.headers.etag);
    },
  );

  it("is 304 for the tag of any coding, with the tag of the requested coding", async () => {
    const { headers } = await ask(path, null);
    const strong = String(headers.etag);
    expect(strong).toMatch(/^"[^"]+"$/);
    for (const sent of [strong, `W/${strong}`]) {
      for (const [accepted, expected] of [
        ["zstd", `W/${strong}`],
        ["gzip", `W/${strong}`],
        ["identity", strong],
      ] as const) {
        const again = await ask(path, accepted, { ifNoneMatch: sent });
        expect([again.status, again.bytes.length]).toEqual([304, 0]);
        expect(again.headers).toMatchObject({ etag: expected, vary: "Accept-Encoding" });
        expect(again.headers["content-encoding"]).toBeUndefined();
      }
    }
  });

  it.each(["zstd", "identity"])("requested by HEAD as %s has the headers of GET", async (accepted) => {
    const [get, head] = [await ask(path, accepted), await ask(path, accepted, { method: "HEAD" })];
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    // A whole export tells its size to HEAD alone: rows removed meanwhile are left out of it.
    if (path === EXPORT && accepted === "identity")
      expect(head.headers["content-length"]).toBe(String(get.bytes.length));
    else expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    const kept = ["content-encoding", "content-type", "etag", "vary", "content-disposition"];
    for (const name of kept) expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  });
});

it("a small answer and a problem are not compressed", async () => {
  for (const path of [SMALL_PAGE, "/v1/usage", "/v1/feeds/us_unicorns/records"]) {
    const { headers, bytes } = await ask(path, "gzip, br, zstd");
    expect([path, headers["content-encoding"]]).toEqual([path, undefined]);
    expect(JSON.parse(bytes.toString())).toBeTypeOf("object");
  }
});

it("the contract is compressed, as JSON and as YAML", async () => {
  for (const path of ["/openapi.json", "/openapi.yaml"]) {
    const plain = await ask(path, null);
    const { headers, bytes } = await ask(path, "gzip, br, zstd");
    expect([headers["content-encoding"], headers.vary]).toEqual(["zstd", "Accept-Encoding"]);
    expect((await promisify(zlib.zstdDecompress)(bytes)).equals(plain.bytes)).toBe(true);
  }
});

it("other JSON of more than 1 KB is compressed as well", async () => {
  const { headers, bytes } = await ask("/v1/feeds", "br");
  expect([headers["content-encoding"], headers.etag]).toEqual(["br", undefined]);
  const text = (await promisify(zlib.brotliDecompress)(bytes)).toString();
  expect(JSON.parse(text)).toMatchObject({ data: expect.any(Array) });
});
