import { afterAll, beforeAll } from "vitest";
import { AMPLE } from "../../../../support/feeds/every-feed.ts";
import type { FeedRecord } from "../../../../support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { BROKERS, type Changes, read, refusalOf } from "../../feeds/synced-feed.ts";

export let service: TestService;
export let key: string;

export const changes = (query: string, sender = key, feed: string = BROKERS): Promise<Changes> =>
  read(service, `${feed}/changes?${query}`, sender);
export const refusal = (query: string, sender = key): Promise<[number, string]> =>
  refusalOf(service, `${BROKERS}/changes?${query}`, sender);
export const idsOf = (records: readonly FeedRecord[]): unknown[] =>
  records.map(({ record_id }) => record_id).sort();

/** A service, and a key for all feeds. */
export function useFeedChanges(): void {
  beforeAll(async () => {
    service = await startTestService();
    ({ key } = await service.createAccount(AMPLE));
  });
  afterAll(() => service.stop());
}
