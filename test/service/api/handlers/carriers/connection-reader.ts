import { afterAll, beforeAll } from "vitest";
import { updateSharedValues } from "../../../../../src/carriers/connections/shared-values.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { DATASETS } from "../../../../../src/registry/datasets.ts";
import { refreshWords } from "../../../../../src/registry/vocabularies/words.ts";
import type { ContractCase } from "../../../../contract/cases/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { putRows, type Row } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { ASKED } from "./connected-companies.ts";
import { TABLES } from "./connected-tables.ts";

export const SMALL = "us_small_carriers_active";

export type Connections = components["schemas"]["ConnectionsOut"];
type Timeline = components["schemas"]["TimelineOut"];

export let service: TestService;
export let key: string;

/** Publishes the feed with the companies that are asked for. */
export const publish = () =>
  publishFeed(service.context.db, SMALL, {
    records: ASKED.map((usdot) => feedRecord(SMALL, { dot_number: String(usdot), state: "TX" })),
    asOf: AS_OF,
    now: service.clock.now(),
  });

export const put = (table: string, ...rows: readonly Row[]) =>
  rows.reduce<Promise<unknown>>(
    (before, row) => before.then(() => putRows(service.context.db.pool, table, row)),
    Promise.resolve(),
  );

/** As an import does: a new version, after which the shared values are found again. */
export async function importAgain(): Promise<void> {
  await publish();
  await updateSharedValues(service.context);
}

/** Sends the request and checks the answer against the contract. */
export async function ask(usdot: number, query = "", sender = key, status = 200): Promise<string> {
  const answer = await service.get(`/v1/carriers/${usdot}/connections${query}`, sender);
  const text = await answer.text();
  const one = { operation: "readConnections", status } as ContractCase;
  expectContract(one, { status: answer.status, headers: answer.headers, text });
  return text;
}

export const connections = async (usdot: number, query = "", sender = key): Promise<Connections> =>
  JSON.parse(await ask(usdot, query, sender));

/** `402: phone now, address now`. */
export const lines = ({ data }: Connections): string[] =>
  data.map(({ usdot, links }) => `${usdot}: ${links.map(({ kind, when }) => `${kind} ${when}`).join(", ")}`);

/** What another answer about the carrier tells of its connections. */
export async function countsIn(path: string, sender = key) {
  const { connected, connected_ended } = (await (await service.get(path, sender)).json()) as Timeline;
  return { connected, connected_ended };
}

export const rowsUsed = async (sender: string): Promise<number> => {
  const usage = (await (await service.get("/v1/usage", sender)).json()) as components["schemas"]["UsageOut"];
  return usage.usage.quota_rows;
};

export const NOTHING_LEFT_OUT = { persons: 0, outside_regions: 0 };

/** A service with the connected companies, whose shared values are not found yet. */
export function useConnectionReader(): void {
  beforeAll(async () => {
    service = await startTestService();
    for (const [table, rows] of TABLES) await put(table, ...rows);
    await service.context.db.transaction((client) => refreshWords(client, new Set(DATASETS)));
    await publish();
    ({ key } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS }));
  });
  afterAll(() => service.stop());
}
