// Malformed and hostile requests: none may cause an internal error, and every answer is one of the contract.
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OperationParameter, operationTable } from "../../../../src/generated/operations.ts";
import type { ContractCase, Sender } from "../../../contract/contract-cases.ts";
import { validateProblem } from "../../../contract/prism/contract-document.ts";
import { expectContract } from "../../../contract/prism/expect-contract.ts";
import { type SeededService, startSeededService } from "../../../contract/prism/seeded-service.ts";
import { anyCharacter } from "../../../support/any-character.ts";
import { jsonOf, sendRaw } from "../../../support/network/raw-http.ts";

let service: SeededService;

beforeAll(async () => {
  service = await startSeededService();
});
afterAll(() => service.stop());

/** Longer than any of these takes: a request that takes it hangs. */
const ANSWER_MS = 15_000;

/** The process survived, and answers a normal request. */
async function expectService(): Promise<void> {
  const headers = { "X-API-Key": service.keys.customer };
  const answer = await fetch(`${service.url}/v1/feeds/us_brokers/records?page_size=2`, { headers });
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(2);
}

// Operations that change something are tried with hostile bodies in their own tests.
const LIVE = Object.entries(operationTable).filter(([, { isLive, method }]) => isLive && method === "GET");
const FEEDS = [
  "us_new_authority_weekly",
  "us_small_carriers_active",
  "us_brokers",
  "us_revocation_pending",
  "us_insurance_lapse_alerts",
  "us_x",
];

/** Texts that are nearly right, and texts that often break programs. */
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
  ...["100", "1000", "1001", "00100", "١٠", "１０", "TX\u202e", "\ud800"],
  ...["TX", "tx,ca", "TX,", ",", "TX,TX,XX", "Central", "America/Chicago", "mobile", "broker", "__proto__"],
  ...["'; DROP TABLE api_key;--", "%", "%zz", "%E0%A4%A", "../../etc/passwd", "{{7*7}}", "x".repeat(5_000)],
);
const text = fc.oneof(
  trap,
  trap,
  fc.string(),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
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
        fc.constantFrom("4300001", "4500000", "0", "00004300001", "123456789", "99999999"),
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
    { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "page[]", "Page", "api_key") },
    { weight: 1, arbitrary: encoded },
  );
  return fc
    .array(
      fc.tuple(name, anyText).map((pair) => pair.join("=")),
      { maxLength: 4 },
    )
    .map((pairs) => pairs.join("&"));
};

/** How many keys, and whose. */
const senders = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Sender[]>(["customer"]) },
  { weight: 1, arbitrary: fc.constant<Sender[]>(["customer", "customer"]) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom<Sender>(
        ...(["malformed_key", "wrong_key", "revoked_key", "plan_without_api"] as const),
        ...(["plan_of_brokers_in_texas", "spent_minute", "spent_quota"] as const),
      )
      .map((sender) => [sender]),
  },
  { weight: 1, arbitrary: fc.constant<Sender[]>([]) },
);

const request = fc.oneof(
  ...LIVE.map(([operation, { path, parameters }]) =>
    fc.record({
      operation: fc.constant(operation as ContractCase["operation"]),
      path: pathOf(path),
      senders,
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
    fc.asyncProperty(request, async ({ operation, path, query, headers, senders }) => {
      const url = `${service.url}${path}?${query}`;
      const keys = senders.map((sender): [string, string] => [
        "X-API-Key",
        service.facts.keyOf(sender) ?? "",
      ]);
      const sent = await fetch(url, {
        headers: [...Object.entries(headers), ...keys],
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const answer = { status: sent.status, headers: sent.headers, text: await sent.text() };
      statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1);
      expect(answer.status).not.toBe(500);
      // A path parameter may be empty or undecodable, or have text that the URL parser removes: then no operation
      // matches.
      const isElsewhere =
        answer.status === 404
          ? answer.text.includes("There is nothing at")
          : answer.status === 400 && !sent.headers.has("x-ratelimit-limit");
      const feed = path.split("/")[3];
      const one = { operation: isElsewhere ? null : operation, feed, status: answer.status };
      expectContract(one as ContractCase, answer);
    }),
    { numRuns: 1_500 },
  );
  // The generator is useful only while it reaches the code behind the validation.
  for (const status of [200, 304, 400, 401, 403, 404, 422, 429, 503])
    expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
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
  fc.constantFrom(
    "GET /v1/feeds/us_brokers/records HTTP/1.1",
    "GET /v1/feeds/us_brokers/records?page_size=1 HTTP/1.0",
    "GET /v1/feeds/us_brokers/export.csv HTTP/1.1",
    "GET /v1/feeds/us%5cbrokers/records HTTP/1.1",
    "GET /v1/usage HTTP/0.9",
    "GET /v1/usage",
    "GET  /v1/usage  HTTP/1.1",
    "GET /v1/usage\tHTTP/1.1",
    "CONNECT 127.0.0.1:5432 HTTP/1.1",
    `GET /v1/usage?${"x".repeat(20_000)} HTTP/1.1`,
    `GET /${"../../../".repeat(3_000)} HTTP/1.1`,
    "",
  ),
  fc.string({ unit: anyCharacter }),
);
const header = fc.oneof(
  fc.constantFrom(
    "Host: z",
    "Host:",
    "X-API-Key: \u0001",
    "X-API-Key: tdf_live_",
    "X-API-Key: {key}",
    "X-API-Key: {key}",
    "X-API-Key: {key}",
    "Content-Length: 5",
    "Content-Length: -1",
  ),
  fc.constantFrom(
    "Transfer-Encoding: chunked",
    "Content-Length: 0\r\nTransfer-Encoding: chunked",
    "Content-Length: 3\r\nContent-Length: 4",
    "Content-Length: 99999999999999999999",
    "Content-Length: 1_0",
    " folded: onto the line before",
    "\tfolded",
    `X-Large: ${"x".repeat(17_000)}`,
    "Connection: upgrade",
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
  fc.string({ unit: anyCharacter, maxLength: 30 }),
);

/** Without one Host nothing else of a request is read, so nearly all have one. */
const hosts = fc.oneof(
  { weight: 8, arbitrary: fc.constant(["Host: x"]) },
  { weight: 1, arbitrary: fc.constantFrom([], ["Host: x", "Host: y"], ["Host: x y"]) },
);

/** The answer to Expect: 100-continue, before the real one. */
const isGoOn = (answer: string): boolean => answer === "HTTP/1.1 100 Continue\r\n\r\n";

function expectProperAnswer(answer: string): void {
  expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  expect(answer).toMatch(/^x-request-id: \S+\r$/im);
  if (!/^HTTP\/1\.1 4/.test(answer) || /^HTTP\/1\.1 422/.test(answer)) return;
  expect(answer).toMatch(/^content-type: application\/problem\+json\r$/im);
  validateProblem(jsonOf(answer));
  expect(validateProblem.errors ?? null).toBe(null);
}

it("bytes that are hardly HTTP are answered with a problem or a normal answer, never with 500", async () => {
  const port = Number(new URL(service.url).port);
  // How much of the request arrives before its client closes its side; mostly all of it.
  const cut = fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  );
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      line,
      hosts,
      fc.array(header, { maxLength: 4 }),
      fc.string(),
      cut,
      async (first, host, headers, body, part) => {
        // After a valid request the server would wait for the next one.
        const lines = [first, ...host, ...headers, "Connection: close", "", body].join("\r\n");
        const whole = Buffer.from(lines.replaceAll("{key}", service.keys.customer), "latin1");
        const bytes = whole.subarray(0, Math.ceil(whole.length * part));
        const sent = await sendRaw(port, bytes, { giveUpMs: 2_000, isAll: part < 1 });
        // An empty line among the headers makes two requests of one.
        const answers = sent.split(/(?=HTTP\/1\.1 \d{3} )/);
        for (const answer of answers) if (answer !== "" && !isGoOn(answer)) expectProperAnswer(answer);
        if (sent !== "") answered++;
      },
    ),
    { numRuns: 700 },
  );
  // All except empty requests, and those whose clients left before the request was complete.
  expect(answered).toBeGreaterThan(500);
  await expectService();
});
