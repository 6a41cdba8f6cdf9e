import { FEEDS } from "../../../src/feeds/catalogue.ts";
import { feedRecord, publishFeed } from "../../../test/support/feeds/published-feed.ts";
import type { TestService } from "../../../test/support/service.ts";
import { type ClientOptions, createClient, type TruckingDataFeed } from "../src/index.ts";

/** A plan with every feed, and limits that no test reaches. */
export const AMPLE = {
  feeds: Object.fromEntries(FEEDS.map(({ code }) => [code, null])),
  requestsPerMinute: 100_000,
  rowsPerMonth: 100_000_000,
};

/** Publishes brokers with these USDOT numbers, in turn of Texas and California, as the newest version of their feed. */
export function publishBrokers(
  { context, clock }: TestService,
  dots: readonly number[],
  asOf = "2026-11-20",
): Promise<number> {
  const records = dots.map((dot, index) =>
    feedRecord("us_brokers", {
      company: `BROKER ${dot} LLC`,
      dot_number: String(dot),
      state: index % 2 === 0 ? "TX" : "CA",
      authority_granted: "2026-11-01",
      entity_type: index % 5 === 0 ? "freight_forwarder" : "broker",
    }),
  );
  return publishFeed(context.db, "us_brokers", { records, asOf, now: clock.now() });
}

/** `count` USDOT numbers from `first` on. */
export const numbersFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/** The client of a new account. */
export async function customerOf(
  service: TestService,
  plan: object = AMPLE,
  options: Partial<ClientOptions> = {},
): Promise<TruckingDataFeed> {
  const { key } = await service.createAccount({ ...AMPLE, ...plan });
  return createClient({ apiKey: key, baseUrl: service.url, ...options });
}

/** A real `fetch` that notes the path and query of each request. */
export function notingFetch(): { asked: string[]; fetch: typeof fetch } {
  const asked: string[] = [];
  return {
    asked,
    fetch: (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      asked.push(pathname + search);
      return fetch(input, init);
    },
  };
}

/** All that an iterable gives. */
export async function allOf<T>(some: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of some) all.push(one);
  return all;
}
