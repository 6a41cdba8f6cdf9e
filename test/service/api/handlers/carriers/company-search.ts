import { afterAll, beforeAll } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import type { ContractCase } from "../../../../contract/cases/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

export const [SMALL, BROKERS] = ["us_small_carriers_active", "us_brokers"] as const;

type Found = components["schemas"]["CarriersOut"];

interface Company {
  usdot: number;
  company: string;
  dba_name?: string;
  state?: string;
}

/** Names of carriers, and two that are in no feed. */
export const COMPANIES: Company[] = [
  { usdot: 201, company: "BLUE MESA FREIGHT LLC", state: "TX" },
  { usdot: 202, company: "BLUE MESA FREIGHT OF OHIO INC", state: "OH" },
  { usdot: 203, company: "MESA BLUE FREIGHT LLC", state: "TX" },
  { usdot: 204, company: "J.B. HUNTER TRANSPORT, INC.", state: "AR" },
  { usdot: 205, company: "GOLDEN STATE CARRIERS", dba_name: "O'Brien's Café Hauling", state: "CA" },
  { usdot: 206, company: "KOWALCZYK AND SONS TRUCKING", state: "IL" },
  { usdot: 207, company: "Q & R TRUCKING, INC.", state: "IL" },
  { usdot: 208, company: "X AND Y AND Z DRAYAGE", state: "IL" },
  { usdot: 209, company: "B.T.QUIMBY HAULAGE", state: "MO" },
  { usdot: 210, company: "ST.VRAINE DRAYAGE CO.", state: "MO" },
];
export const ELSEWHERE: Company[] = [{ usdot: 299, company: "BLUE MESA FREIGHT LLC", state: "TX" }];

export let service: TestService;
export let key: string;

export const publish = (feed: typeof SMALL | typeof BROKERS, companies: readonly Company[]) =>
  publishFeed(service.context.db, feed, {
    records: companies.map(({ usdot, ...company }) =>
      feedRecord(feed, { ...company, dot_number: String(usdot), docket_number: `MC${usdot}000` }),
    ),
    asOf: AS_OF,
    now: service.clock.now(),
  });

export const putAuthorities = (companies: readonly Company[]) =>
  putRows(
    service.context.db.pool,
    "authority",
    ...companies.map(({ usdot, company, dba_name, state }) => ({
      usdot,
      docket: `MC${usdot}000`,
      registry_name: company,
      registry_dba_name: dba_name ?? null,
      registry_state: state ?? null,
    })),
  );

/** Sends the request and checks the answer against the contract. */
export async function ask(query: Record<string, string>, sender = key, status = 200): Promise<string> {
  const answer = await service.get(`/v1/carriers?${new URLSearchParams(query)}`, sender);
  const text = await answer.text();
  const one = { operation: "searchCarriers", status } as ContractCase;
  expectContract(one, { status: answer.status, headers: answer.headers, text });
  return text;
}

export const search = async (query: Record<string, string>, sender = key): Promise<Found> =>
  JSON.parse(await ask(query, sender));

export const found = async (name: string, more: Record<string, string> = {}, sender = key) =>
  (await search({ name, ...more }, sender)).data.map(({ usdot, match }) => `${usdot} ${match}`);

export const rowsUsed = async (sender: string): Promise<number> => {
  const usage = (await (await service.get("/v1/usage", sender)).json()) as components["schemas"]["UsageOut"];
  return usage.usage.quota_rows;
};

/** A service with companies to search for. */
export function useCompanySearch(): void {
  beforeAll(async () => {
    service = await startTestService();
    ({ key } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS, rowsPerMonth: 100_000 }));
  });
  afterAll(() => service.stop());
}
