// The checks of this folder find errors: they get the same answer without error, and with one error at a time.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ContractCase, nameOf } from "../cases/contract-cases.ts";
import { usageCases } from "../cases/usage.ts";
import { expectContract, expectRealData } from "./expect-contract.ts";
import { type PrismServer, startProxy, violationsOf } from "./prism-server.ts";
import { sendCase } from "./send-case.ts";

interface Given {
  status: number;
  headers: Record<string, string>;
  body: object;
}

const WHOLE: Given = {
  status: 200,
  headers: {
    "content-type": "application/json",
    "x-request-id": "one",
    "x-ratelimit-limit": "60",
    "x-ratelimit-remaining": "59",
    "x-ratelimit-reset": "1795166460",
    "x-quota-limit": "100",
    "x-quota-remaining": "85",
    "x-quota-reset": "1796083200",
    "x-quota-cost": "0",
  },
  body: {
    month_start: "2026-11-01",
    usage: { api_requests: 4, api_rows: 10, export_rows: 5, quota_rows: 15 },
    limits: { api_rows_month: 100, api_rpm: 60, api_rows_left: 85 },
  },
};
const { "x-ratelimit-reset": _reset, ...headersWithoutReset } = WHOLE.headers;
const { month_start: _month, ...bodyWithoutMonth } = WHOLE.body as { month_start: string };

const PRISM_SEES: [fault: string, given: Given][] = [
  ["a member is missing", { ...WHOLE, body: bodyWithoutMonth }],
  ["a member is of another type", { ...WHOLE, body: { ...WHOLE.body, month_start: 11 } }],
  ["a member is of another format", { ...WHOLE, body: { ...WHOLE.body, month_start: "November" } }],
  ["a header is missing", { ...WHOLE, headers: headersWithoutReset }],
  ["a header is no number", { ...WHOLE, headers: { ...WHOLE.headers, "x-ratelimit-reset": "soon" } }],
  ["the status is not declared", { ...WHOLE, status: 418 }],
];
const PRISM_DOES_NOT_SEE: [fault: string, given: Given][] = [
  ["the status is another declared one", { ...WHOLE, status: 403 }],
  [
    "the sums do not fit",
    { ...WHOLE, body: { ...WHOLE.body, limits: { api_rows_month: 9, api_rpm: 6, api_rows_left: 7 } } },
  ],
];

let given = WHOLE;
let upstream: Server;
let proxy: PrismServer;
beforeAll(async () => {
  upstream = createServer((_request, response) => {
    response.writeHead(given.status, given.headers).end(JSON.stringify(given.body));
  });
  await new Promise<void>((listening) => upstream.listen(0, "127.0.0.1", listening));
  proxy = await startProxy(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await proxy.close();
  upstream.closeAllConnections();
  upstream.close();
});

const one = usageCases[0] as ContractCase;
const facts = {
  keyOf: () => "tdf_live_any_key",
  dot: "",
  staleDot: "",
  staleDocket: "",
  eventType: "",
  cursor: "",
  event: 0,
  endpoint: 0,
  delivery: 0,
  testedEndpoint: 0,
  watchlistOf: () => 0,
  ownKey: "",
  endedKey: "",
  versionOf: () => 1,
  removalsOf: () => 0,
};
const answerTo = (answer: Given) => {
  given = answer;
  return sendCase(proxy.url, one, facts);
};

describe(`the checks of "${nameOf(one)}"`, () => {
  it("accept a complete answer", async () => {
    const answer = await answerTo(WHOLE);
    expectContract(one, answer);
    expectRealData(one, answer);
    expect(violationsOf(answer.headers)).toEqual([]);
  });

  it.each(PRISM_SEES)("and Prism notice when %s", async (_fault, faulty) => {
    const answer = await answerTo(faulty);
    expect(violationsOf(answer.headers)).not.toEqual([]);
    expect(() => expectContract(one, answer)).toThrow();
  });

  it.each(PRISM_DOES_NOT_SEE)("notice when %s", async (_fault, faulty) => {
    const answer = await answerTo(faulty);
    expect(() => {
      expectContract(one, answer);
      expectRealData(one, answer);
    }).toThrow();
  });
});
