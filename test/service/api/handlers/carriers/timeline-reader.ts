import { afterAll, beforeAll } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import type { Dataset } from "../../../../../src/registry/datasets.ts";
import { refreshWords } from "../../../../../src/registry/vocabularies/words.ts";
import type { ContractCase } from "../../../../contract/cases/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { putRegistryRow } from "../../../../support/registry/registry-rows.ts";
import { putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

export const SMALL = "us_small_carriers_active";
export const USDOT = 301;
export const DOCKET = "MC301";
/** A docket that another company had before. */
export const HANDED_ON = "MC302";
/** A company whose authorities have no docket. */
export const UNNUMBERED = 305;

export type Timeline = components["schemas"]["TimelineOut"];

const DATASETS: Dataset[] = [
  "motus_authhist",
  "motus_revokesuspend",
  "motus_insur",
  "motus_inshist",
  "legacy_authhist",
  "legacy_insur",
  "legacy_actpendinsur",
  "legacy_inshist",
];

export let service: TestService;
export let key: string;

export type HistoryRow = [table: string, row: Parameters<typeof putRegistryRow>[2]];

/** Puts rows of the registry, with the meanings of their words. */
export async function put(...rows: HistoryRow[]): Promise<void> {
  await service.context.db.transaction(async (client) => {
    for (const [table, row] of rows) await putRegistryRow(client, table, row);
    await refreshWords(client, new Set(DATASETS));
  });
}

/** Sends the request and checks the answer against the contract. */
export async function ask(
  query: string,
  sender = key,
  status = 200,
  usdot: string | number = USDOT,
): Promise<string> {
  const answer = await service.get(`/v1/carriers/${usdot}/timeline${query}`, sender);
  const text = await answer.text();
  const one = { operation: "readTimeline", status } as ContractCase;
  expectContract(one, { status: answer.status, headers: answer.headers, text });
  return text;
}

export const timeline = async (query = "", sender = key): Promise<Timeline> =>
  JSON.parse(await ask(query, sender));

export const lines = async (category: string) =>
  (await timeline(`?category=${category}`)).data.map(
    ({ on, action, docket_number, details }) =>
      `${on} ${action} ${docket_number} ${[details.words, details.served_on, details.effective_on, details.ended_on, details.previous_insurer, details.insurer].filter(Boolean).join(" | ")}`,
  );

export const SEEN_AT = "2026-11-19T11:20:05.000Z";

export const change = (
  id: number,
  category: string,
  field: string,
  before: unknown,
  after: unknown,
  on: string | null,
) => ({
  id,
  usdot: USDOT,
  docket: null as string | null,
  category,
  field,
  item: JSON.stringify({}),
  old_value: JSON.stringify(before),
  new_value: JSON.stringify(after),
  registry_on: on,
  as_of: "2026-11-18",
  seen_at: SEEN_AT,
  source: "census",
});

/** A service with carriers whose timelines are read. */
export function useTimeline(): void {
  beforeAll(async () => {
    service = await startTestService();
    const { db } = service.context;
    await publishFeed(db, SMALL, {
      records: [USDOT, 303, UNNUMBERED].map((usdot) =>
        feedRecord(SMALL, { dot_number: String(usdot), state: "TX" }),
      ),
      asOf: AS_OF,
      now: service.clock.now(),
    });
    await putRows(
      db.pool,
      "authority",
      { usdot: USDOT, docket: DOCKET },
      { usdot: USDOT, docket: HANDED_ON },
      { usdot: 398, docket: HANDED_ON },
      { usdot: 303, docket: "MC303" },
      { usdot: UNNUMBERED, docket: `DOT${UNNUMBERED}` },
      { usdot: UNNUMBERED, docket: `DOT${UNNUMBERED}`, authority_class: "broker" },
    );
    ({ key } = await service.createAccount({ ...AMPLE, feeds: ALL_FEEDS, rowsPerMonth: 1_000 }));
  });
  afterAll(() => service.stop());
}
