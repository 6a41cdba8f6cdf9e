import { afterAll, beforeAll, expect, it } from "vitest";
import { FEEDS, FILTERS } from "../../../../../src/feeds/catalogue.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { ALL_FEEDS, AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { FILTER_FEEDS } from "../../../../support/feeds/filter-table.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

type Feeds = components["schemas"]["FeedsOut"]["data"];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function list(feeds: Record<string, string[] | null>): Promise<Feeds> {
  const { key } = await service.createAccount({ ...AMPLE, feeds });
  const answer = await service.get("/v1/feeds", key);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: Feeds }).data;
}

it("lists every feed of the specification with the filters of its table", async () => {
  const data = await list(ALL_FEEDS);
  const cadences = ["weekly", "daily", "daily", "daily", "daily"];
  expect(
    data.map(({ code, country, cadence, allowed_filters }) => [code, country, cadence, allowed_filters]),
  ).toEqual(
    FEEDS.map(({ code }, index) => [
      code,
      "US",
      cadences[index],
      FILTERS.map(({ name }) => name).filter((name) => FILTER_FEEDS[name].includes(code)),
    ]),
  );
  for (const { name, columns } of data) {
    expect(name).toMatch(/\S/);
    for (const column of ["company", "dot_number", "state", "authority_granted", "last_verified"]) {
      expect(columns).toContain(column);
    }
  }
});

it("lists only the plan's feeds, always in the same order, with the plan's regions", async () => {
  const data = await list({ us_brokers: ["CA", "TX"], us_new_authority_weekly: null, us_unicorns: null });
  expect(data.map(({ code, regions }) => [code, regions])).toEqual([
    ["us_new_authority_weekly", null],
    ["us_brokers", ["CA", "TX"]],
  ]);
  expect(await list({})).toEqual([]);
});

it("shows a feed's day and freshness, before it is live and until it is too old", async () => {
  const shown = async () => {
    const [feed] = await list({ us_brokers: null });
    return [feed?.as_of, feed?.fresh];
  };
  const publish = (asOf: string) =>
    publishFeed(service.context.db, "us_brokers", {
      records: [feedRecord("us_brokers", { dot_number: "1" })],
      asOf,
      now: service.clock.now(),
    });
  expect(await shown()).toEqual([null, false]);
  await publish(AS_OF);
  expect(await shown()).toEqual([AS_OF, true]);
  service.clock.set("2026-11-25T23:59:59Z");
  expect(await shown()).toEqual([AS_OF, true]);
  service.clock.set("2026-11-26T00:00:00Z");
  expect(await shown()).toEqual([AS_OF, false]);
  await publish("2026-11-26");
  expect(await shown()).toEqual(["2026-11-26", true]);
});

it("names the columns of the feed's records, in their order", async () => {
  const { key } = await service.createAccount(AMPLE);
  for (const { code } of FEEDS) {
    await publishFeed(service.context.db, code, {
      records: [feedRecord(code, { dot_number: "1" })],
      asOf: "2026-11-26",
      now: service.clock.now(),
    });
  }
  for (const { code, columns } of await list(ALL_FEEDS)) {
    const answer = await service.get(`/v1/feeds/${code}/records`, key);
    const { data } = (await answer.json()) as { data: [object] };
    expect(Object.keys(data[0])).toEqual(columns);
  }
});

it.each(["page=1", "state=TX", "=", "__proto__=x"])(
  "refuses the query %s, since it has no parameters",
  async (query) => {
    const { key } = await service.createAccount(AMPLE);
    const answer = await service.get(`/v1/feeds?${query}`, key);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ detail: [{ loc: ["query", query.split("=")[0]] }] });
  },
);
