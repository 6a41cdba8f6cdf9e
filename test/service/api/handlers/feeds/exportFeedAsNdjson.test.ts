import { afterAll, beforeAll, expect, it } from "vitest";
import { FEEDS, type FeedCode } from "../../../../../src/feeds/catalogue.ts";
import { AMPLE, startServiceOfEveryFeed } from "../../../../support/feeds/every-feed.ts";
import { AS_OF, recordsOf } from "../../../../support/feeds/every-record.ts";
import { firstName, REFUSED_BY_FEED, USUAL_BY_FEED } from "../../../../support/feeds/filter-table.ts";
import type { TestService } from "../../../../support/service.ts";

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

it.each(USUAL_BY_FEED.slice(0, 1))("%s accepts %s like a page", async (feed, query, { holds }) => {
  const dots = (records: readonly unknown[]) =>
    records.map((each) => (each as { dot_number: string }).dot_number);
  expect(dots(await linesOf(feed, query))).toEqual(dots(recordsOf(feed).filter(holds)));
});

it.each(REFUSED_BY_FEED.slice(0, 2))("%s refuses %s like a page", async (feed, query) => {
  const refused = await ask(feed, query);
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining(firstName(query)),
  ]);
});
