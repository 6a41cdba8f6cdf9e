import { afterAll, beforeAll } from "vitest";
import type { OperationId } from "../../../../../src/generated/operations.ts";
import type { components } from "../../../../../src/generated/types.ts";
import type { ContractCase } from "../../../../contract/cases/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { putRegistryRow } from "../../../../support/registry/registry-rows.ts";
import { putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

export type Schemas = components["schemas"];
type Changed = Schemas["WatchedCarriersChanged"];

export let service: TestService;
let key: string;

export const PLAN = { ...AMPLE, feeds: ALL_FEEDS };

interface Asked {
  body?: unknown;
  sender?: string;
  status?: number;
  headers?: Record<string, string>;
}

/** Sends the request and checks the answer against the contract. */
export async function ask<Answer>(
  operation: OperationId,
  request: string,
  { body, sender = key, status = 200, headers }: Asked = {},
): Promise<Answer> {
  const [method = "", path = ""] = request.split(" ");
  const answer = await service.send(method, path, { key: sender, body, headers });
  const text = await answer.text();
  expectContract({ operation, status } as ContractCase, {
    status: answer.status,
    headers: answer.headers,
    text,
  });
  return (text === "" ? null : JSON.parse(text)) as Answer;
}

export const create = (name: string, sender = key) =>
  ask<Schemas["WatchlistOut"]>("createWatchlist", "POST /v1/watchlists", {
    body: { name },
    sender,
    status: 201,
  });

export const add = (id: number, body: Schemas["WatchedCarriersIn"], how: Asked = {}) =>
  ask<Changed>("addWatchedCarriers", `POST /v1/watchlists/${id}/carriers`, { body, ...how });
export const replace = (id: number, body: Schemas["WatchedCarriersIn"], how: Asked = {}) =>
  ask<Changed>("replaceWatchedCarriers", `PUT /v1/watchlists/${id}/carriers`, { body, ...how });
export const remove = (id: number, body: Schemas["WatchedCarriersIn"], how: Asked = {}) =>
  ask<Changed>("removeWatchedCarriers", `POST /v1/watchlists/${id}/carriers/remove`, { body, ...how });

export const carriersOf = async (id: number, query = "", sender = key) =>
  ask<Schemas["WatchedCarriersOut"]>("listWatchedCarriers", `GET /v1/watchlists/${id}/carriers${query}`, {
    sender,
  });
export const usdotsOf = async (id: number, sender = key) =>
  (await carriersOf(id, "", sender)).data.map(({ usdot }) => Number(usdot));

export const listsOf = (sender = key) =>
  ask<Schemas["WatchlistsOut"]>("listWatchlists", "GET /v1/watchlists", { sender });

const usageOf = async (sender: string) =>
  (await (await service.get("/v1/usage", sender)).json()) as Schemas["UsageOut"];
export const rowsUsed = async (sender: string): Promise<number> => (await usageOf(sender)).usage.quota_rows;
/** The rows of the month, and those of the account's one key. */
export const rowsCounted = async (sender: string) => {
  const { usage, by_key } = await usageOf(sender);
  return [usage.quota_rows, by_key?.[0]?.api_rows];
};

export const NOTHING = {
  added: 0,
  removed: 0,
  already: 0,
  unknown: [],
  ambiguous: [],
  invalid: [],
  rows_charged: 0,
};

/** A service with companies to watch. */
export function useWatching(): void {
  beforeAll(async () => {
    service = await startTestService();
    const { pool } = service.context.db;
    await putRows(
      pool,
      "authority",
      { usdot: 101, docket: "MC1001", registry_state: "TX", registry_name: "FIRST FREIGHT LLC" },
      { usdot: 102, docket: "MC1002", registry_state: "OH", registry_name: "SECOND FREIGHT LLC" },
      // A docket that two companies had, one of which never had another.
      { usdot: 103, docket: "MC1003", registry_state: "TX", registry_name: "THIRD FREIGHT LLC" },
      { usdot: 102, docket: "MC1003", registry_state: "OH", registry_name: "SECOND FREIGHT LLC" },
      { usdot: 104, docket: "MC1004", registry_state: null, registry_name: null, status: "inactive" },
      ...Array.from({ length: 30 }, (_, at) => ({
        usdot: 200 + at,
        docket: `MC${2_000 + at}`,
        registry_state: "TX",
      })),
    );
    // In the census too, which says where a company is; the second one has no authority.
    await service.context.db.transaction(async (client) => {
      await putRegistryRow(client, "census", {
        usdot: 102,
        state: "CA",
        legal_name: "SECOND FREIGHT OF CALIFORNIA",
      });
      await putRegistryRow(client, "census", { usdot: 190, state: "TX" });
    });
    ({ key } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS, rowsPerMonth: 10_000 }));
  });
  afterAll(() => service.stop());
}
