import { afterAll, beforeAll } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import { AMPLE, startServiceOfEveryFeed } from "../../../../support/feeds/every-feed.ts";
import type { FeedRecord } from "../../../../support/feeds/published-feed.ts";
import type { TestService } from "../../../../support/service.ts";

export const NEW = "us_new_authority_weekly";
export const BROKERS = "us_brokers";

export type Page = Omit<components["schemas"]["RecordsOut"], "data"> & { data: FeedRecord[] };

export let service: TestService;
export let key: string;

export const ask = (feed: string, query = "", sender = key, headers: Record<string, string> = {}) =>
  service.get(`/v1/feeds/${feed}/records?${query}`, sender, headers);

export async function read(feed: string, query = "", sender = key): Promise<Page> {
  const answer = await ask(feed, query, sender);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Page;
}

export const rowsUsed = async (sender: string): Promise<number> => {
  const usage = await (await service.get("/v1/usage", sender)).json();
  return (usage as components["schemas"]["UsageOut"]).usage.quota_rows;
};

/** A service of every feed, and a key for all of them. */
export function useRecordPages(): void {
  beforeAll(async () => {
    service = await startServiceOfEveryFeed();
    ({ key } = await service.createAccount(AMPLE));
  });
  afterAll(() => service.stop());
}
