// Every feed of the catalogue, with records at the limits of every filter, served by the real service.
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import { startTestService, type TestService } from "../service.ts";
import { AS_OF, recordsOf } from "./every-record.ts";
import { publishFeed } from "./published-feed.ts";

export const ALL_FEEDS: Readonly<Record<string, null>> = Object.fromEntries(
  FEEDS.map(({ code }) => [code, null]),
);

/** A plan that no test exceeds. */
export const AMPLE = { feeds: ALL_FEEDS, requestsPerMinute: 100_000, rowsPerMonth: 100_000_000 };

/** The real service with all five feeds published. */
export async function startServiceOfEveryFeed(): Promise<TestService> {
  const service = await startTestService();
  for (const { code } of FEEDS) {
    await publishFeed(service.context.db, code, {
      records: recordsOf(code),
      asOf: AS_OF,
      now: service.clock.now(),
    });
  }
  return service;
}
