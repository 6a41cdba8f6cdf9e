// Requests of hostile.test.ts: made from the contract with hostile values, and lines that are hardly HTTP.
import fc from "fast-check";
import { type OperationParameter, operationTable } from "../../../../src/generated/operations.ts";
import type { ContractCase, Sender } from "../../../contract/cases/contract-cases.ts";
import { anyCharacter } from "../../../support/any-character.ts";

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

export const request = fc.oneof(
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

export const line = fc.oneof(
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
    `GET /${"../../".repeat(3_000)} HTTP/1.1`,
    "",
  ),
  fc.string({ unit: anyCharacter }),
);
export const header = fc.oneof(
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
export const hosts = fc.oneof(
  { weight: 8, arbitrary: fc.constant(["Host: x"]) },
  { weight: 1, arbitrary: fc.constantFrom([], ["Host: x", "Host: y"], ["Host: x y"]) },
);
