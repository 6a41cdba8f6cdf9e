import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect } from "vitest";
import type { FeedCode } from "../../../../../src/feeds/catalogue.ts";
import type { components } from "../../../../../src/generated/types.ts";
import type { ContractCase } from "../../../../contract/cases/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { type FeedRecord, feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

export const [SMALL, BROKERS] = ["us_small_carriers_active", "us_brokers"] as const;

type Lookups = components["schemas"]["CarrierLookupsOut"];
type Asked = components["schemas"]["CarrierLookupIn"];

export const RECORDS: Partial<Record<FeedCode, FeedRecord[]>> = {
  [SMALL]: [
    { dot_number: "101", state: "TX", company: 'QUOTED "ÉCLAIR" LLC', docket_number: "MC1001" },
    { dot_number: "102", state: "CA", company: "TWIN ONE", docket_number: "MC1002" },
    { dot_number: "103", state: "TX", company: "TWIN TWO", docket_number: "MC1002" },
  ],
  [BROKERS]: [
    { dot_number: "101", state: "TX", company: "AS A BROKER", docket_number: "MC1001" },
    { dot_number: "104", state: "NY", company: "ONLY BROKER", docket_number: "MC1004" },
  ],
};

const DOCKETS = [
  { docket: "MC1001", usdot: 101 },
  // Handed on to a business that is in no feed any more.
  { docket: "MC1001", usdot: 199 },
  { docket: "FF55", usdot: 101 },
  { docket: "MC1002", usdot: 102 },
  { docket: "MC1002", usdot: 103 },
  { docket: "MC1004", usdot: 104 },
  { docket: "MC1999", usdot: 199 },
];

export let service: TestService;

export async function publish(): Promise<void> {
  for (const [code, records] of Object.entries(RECORDS) as [FeedCode, FeedRecord[]][]) {
    const rows = records.map((record) => feedRecord(code, record));
    await publishFeed(service.context.db, code, { records: rows, asOf: AS_OF, now: service.clock.now() });
  }
}

export const keyOf = async (
  feeds: Record<string, string[] | null> = ALL_FEEDS,
  rowsPerMonth = 1_000,
): Promise<string> => (await service.createAccount({ ...AMPLE, feeds, rowsPerMonth })).key;

/** Sends the request and checks the answer against the contract. */
export async function ask(body: unknown, key: string, status = 200): Promise<string> {
  const answer = await service.send("POST", "/v1/carriers/lookup", { key, body });
  const text = await answer.text();
  const one = { operation: "lookUpCarriers", status } as ContractCase;
  expectContract(one, { status: answer.status, headers: answer.headers, text });
  return text;
}

export const lookUp = async (asked: Asked, key: string): Promise<Lookups> =>
  JSON.parse(await ask(asked, key));

export const rowsUsed = async (key: string): Promise<number> => {
  const usage = await (await service.get("/v1/usage", key)).json();
  return (usage as components["schemas"]["UsageOut"]).usage.quota_rows;
};

/** Sends the second request of a key, whose second half waits for `meanwhile`, which begins when the key was admitted. */
export async function askSlowly(
  asked: Asked,
  key: string,
  meanwhile: () => Promise<unknown>,
): Promise<Lookups> {
  const body = JSON.stringify(asked);
  const headers = { "X-API-Key": key, "Content-Type": "application/json", "Content-Length": body.length };
  const request = httpRequest(`${service.url}/v1/carriers/lookup`, { method: "POST", headers });
  const answered = once(request, "response");
  request.write(body.slice(0, 5));
  const isCounted = "SELECT used FROM key_minute WHERE strpos($1, key_id) > 0";
  await expect
    .poll(async () => (await service.context.db.pool.query(isCounted, [key])).rows)
    .toEqual([{ used: 2 }]);
  await meanwhile();
  request.end(body.slice(5));
  const [answer] = (await answered) as [IncomingMessage];
  return (await json(answer)) as Lookups;
}

export const outcomes = ({ data }: Lookups) =>
  data.map(({ query, outcome, usdots }) => [query, outcome, usdots]);

/** A service with carriers in two feeds. */
export function useBulkLookups(): void {
  beforeAll(async () => {
    service = await startTestService();
    await publish();
    await putRows(service.context.db.pool, "authority", ...DOCKETS);
  });
  afterAll(() => service.stop());
}
