import { afterAll, beforeAll, expect, it } from "vitest";
import { FEEDS, type FeedCode } from "../../../../src/feeds/catalogue.ts";
import type { TestService } from "../../../support/service.ts";
import { AMPLE, AS_OF, recordsOf, startServiceOfEveryFeed } from "../every-feed.ts";
import { BAD_BY_FEED, firstName, GOOD_BY_FEED } from "../filter-table.ts";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startServiceOfEveryFeed();
  ({ key } = await service.createAccount(AMPLE));
});
afterAll(() => service.stop());

const ask = (feed: string, query = "") => service.get(`/v1/feeds/${feed}/export.ndjson?${query}`, key);

const linesOf = async (feed: string, query = ""): Promise<unknown[]> => {
  const text = await (await ask(feed, query)).text();
  expect(text).toMatch(/^({.*}\n)*$/);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};

const pagesOf = async (feed: FeedCode): Promise<unknown[]> => {
  const answer = await service.get(`/v1/feeds/${feed}/records?page_size=1000`, key);
  return ((await answer.json()) as { data: unknown[] }).data;
};

it.each(FEEDS.map(({ code }) => code))("%s has the records of its pages, one a line", async (feed) => {
  const answer = await ask(feed);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  expect(answer.headers.get("content-disposition")).toContain(`${feed}_${AS_OF}.ndjson`);
  await answer.arrayBuffer();
  expect(await linesOf(feed)).toEqual(await pagesOf(feed));
});

// The filters themselves are tried with CSV, in exportFeed.test.ts.
it("has filters like a CSV, and refuses what a CSV refuses", async () => {
  const [feed, query, { holds }] = GOOD_BY_FEED[0] as (typeof GOOD_BY_FEED)[number];
  const dots = (records: readonly unknown[]) =>
    records.map((each) => (each as { dot_number: string }).dot_number);
  expect(dots(await linesOf(feed, query))).toEqual(dots(recordsOf(feed as FeedCode).filter(holds)));
  const [other, bad] = BAD_BY_FEED[0] as (typeof BAD_BY_FEED)[number];
  const refused = await ask(other, bad);
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining(firstName(bad)),
  ]);
});
