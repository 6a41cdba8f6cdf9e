// Requests nobody would send: none may end in a fault of the service, and every answer is one of the contract.
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OperationParameter, operationTable } from "../../src/generated/operations.ts";
import type { ContractCase } from "../contract/contract-cases.ts";
import { expectContract } from "../contract/prism/expect-contract.ts";
import { type SeededService, startSeededService } from "../contract/prism/seeded-service.ts";
import { sendRaw } from "../support/raw-http.ts";

let service: SeededService;

beforeAll(async () => {
  service = await startSeededService();
});
afterAll(() => service.stop());

const LIVE = Object.entries(operationTable).filter(([, operation]) => operation.isLive);
const FEEDS = [
  "us_new_authority_weekly",
  "us_small_carriers_active",
  "us_brokers",
  "us_revocation_pending",
  "us_x",
];

/** Texts that are nearly right, and texts that break things. */
const trap = fc.constantFrom(
  ...[
    "",
    " ",
    "0",
    "-0",
    "-1",
    "007",
    "1e2",
    "0x10",
    "+5",
    "1.0",
    "2147483647",
    "2147483648",
    "9007199254740993",
  ],
  ...[
    "99999999999999999999",
    "NaN",
    "null",
    "true",
    "TRUE",
    "1",
    "\u0000",
    "a\u0000b",
    "\n",
    "\ud83d\ude9a",
    "٣",
  ],
  ...[
    "2026-02-30",
    "2026-11-20",
    "0000-01-01",
    "0001-01-01",
    "9999-12-31",
    "2026-11-20T00:00:00Z",
    "20261120",
  ],
  ...["TX", "tx,ca", "TX,", ",", "TX,TX,XX", "Central", "America/Chicago", "mobile", "broker", "__proto__"],
  ...["'; DROP TABLE api_key;--", "%", "%zz", "%E0%A4%A", "../../etc/passwd", "{{7*7}}", "x".repeat(5_000)],
);
const text = fc.oneof(
  trap,
  trap,
  fc.string(),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.date({ noInvalidDate: true }).map((day) => day.toISOString().slice(0, 10)),
);
const encoded = text.map((value) => encodeURIComponent(value.toWellFormed()));
const anyText = fc.oneof(encoded, fc.constantFrom("%", "%zz", "%E0%A4%A", "%00", "+", "&", "=", "a=b"));

const pathOf = (path: string): fc.Arbitrary<string> => {
  const parts = path.split(/(\{\w+\})/).map((part) => {
    if (part === "{code}")
      return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...FEEDS) }, { weight: 1, arbitrary: encoded });
    if (part === "{dot}")
      return fc.oneof(
        fc.constantFrom("4300001", "4500000", "0", "00004300001"),
        fc.nat().map(String),
        encoded,
      );
    return fc.constant(part);
  });
  return fc.tuple(...parts).map((each) => each.join(""));
};

const queryOf = (parameters: readonly OperationParameter[]): fc.Arbitrary<string> => {
  const names = parameters.filter((parameter) => parameter.in === "query").map((parameter) => parameter.name);
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("page", ...names) },
    { weight: 1, arbitrary: encoded },
  );
  return fc
    .array(
      fc.tuple(name, anyText).map((pair) => pair.join("=")),
      { maxLength: 4 },
    )
    .map((pairs) => pairs.join("&"));
};

const request = fc.oneof(
  ...LIVE.map(([operation, { path, parameters }]) =>
    fc.record({
      operation: fc.constant(operation as ContractCase["operation"]),
      path: pathOf(path),
      query: queryOf(parameters),
      headers: fc.record(
        {
          "If-None-Match": fc.constantFrom("*", "*", "*", '"1-x"', "W/", ",,,", '"'.repeat(50)),
          "X-Request-Id": fc.constantFrom("a", "", "x".repeat(200), "a b"),
          "Accept-Encoding": fc.constantFrom("gzip", "identity", "*;q=0", "br", "gzip;q=0"),
          Accept: fc.constantFrom("text/plain", "*/*", ""),
        },
        { requiredKeys: [] },
      ),
    }),
  ),
);

it("requests made from the contract with hostile values are answered by the contract, never with 500", async () => {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, path, query, headers }) => {
      const url = `${service.url}${path}?${query}`;
      const sent = await fetch(url, { headers: { ...headers, "X-API-Key": service.keys.customer } });
      const answer = { status: sent.status, headers: sent.headers, text: await sent.text() };
      statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1);
      expect(answer.status).not.toBe(500);
      // A path parameter may be empty or undecodable, or hold what the URL parser takes away: no operation then.
      const isElsewhere = [404, 400].includes(answer.status) && !sent.headers.has("x-ratelimit-limit");
      const feed = path.split("/")[3];
      const one = { operation: isElsewhere ? null : operation, feed, status: answer.status };
      expectContract(one as ContractCase, answer);
    }),
    { numRuns: 1_500 },
  );
  // The generator is worth something only while it reaches what lies behind the contract's door.
  for (const status of [200, 304, 400, 403, 404, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
});

const line = fc.oneof(
  fc.constantFrom(
    "GET / HTTP/1.1",
    "GET /v1/usage HTTP/1.1",
    "get /v1/usage HTTP/1.1",
    "GET * HTTP/1.1",
    "OPTIONS * HTTP/1.1",
  ),
  fc.constantFrom(
    "GET //../.. HTTP/1.1",
    "GET http:// HTTP/1.1",
    "GET /v1/feeds/%/records HTTP/1.1",
    "GET /v1/usage HTTP/9.9",
  ),
  fc.constantFrom(
    "POST /v1/usage HTTP/1.1",
    "TRACE / HTTP/1.1",
    "BREW /docs HTTP/1.1",
    "PRI * HTTP/2.0",
    "GET ? HTTP/1.1",
  ),
  fc.string({ unit: "binary" }),
);
const header = fc.oneof(
  fc.constantFrom(
    "Host: x",
    "Host:",
    "X-API-Key: \u0001",
    "X-API-Key: tdf_live_",
    "Content-Length: 5",
    "Content-Length: -1",
  ),
  fc.constantFrom(
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip",
    "Expect: 100-continue",
    "Upgrade: h2c",
    ": x",
  ),
  fc.constantFrom(
    "X-Request-Id: \x1b[31m",
    "Content-Type: application/json",
    "Accept-Encoding: gzip",
    "Range: bytes=0-1",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);

it("bytes that are hardly HTTP are answered with a problem or a proper answer, never with 500", async () => {
  const port = Number(new URL(service.url).port);
  await fc.assert(
    fc.asyncProperty(line, fc.array(header, { maxLength: 4 }), fc.string(), async (first, headers, body) => {
      // Were the request a proper one, the server would wait for the next.
      const bytes = [first, ...headers, "Connection: close", "", body].join("\r\n");
      const answer = await sendRaw(port, Buffer.from(bytes, "latin1"), { giveUpMs: 2_000 });
      expect(answer).not.toMatch(/HTTP\/1\.1 5\d\d/);
      if (answer !== "") expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
      if (/^HTTP\/1\.1 4/.test(answer)) expect(answer).toMatch(/content-type: application\/problem\+json/i);
    }),
    { numRuns: 500 },
  );
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});
