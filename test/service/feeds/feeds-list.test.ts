import { afterAll, beforeAll, expect, it } from "vitest";
import { feedOf } from "../../../src/feeds/catalogue.ts";
import { listFeeds } from "../../../src/feeds/versions/feeds-list.ts";
import { type FeedsFixture, openFeedsFixture } from "../../support/feeds/feeds-fixture.ts";
import { publishFeed } from "../../support/feeds/published-feed.ts";

let fixture: FeedsFixture;
beforeAll(async () => {
  fixture = await openFeedsFixture();
  await publishFeed(fixture.context.db, "us_brokers", {
    records: [],
    asOf: "2026-11-20",
    now: fixture.clock.now(),
  });
});
afterAll(() => fixture.close());

it("lists the plan's feeds in the catalogue's order, one that is not live without a day", async () => {
  const feeds = { us_brokers: ["CA", "TX"], us_revocation_pending: null, us_unicorns: null };
  const { data } = await listFeeds(fixture.context, await fixture.caller({ feeds }));
  expect(data.map(({ code, as_of, fresh, regions }) => ({ code, as_of, fresh, regions }))).toEqual([
    { code: "us_revocation_pending", as_of: null, fresh: false, regions: null },
    { code: "us_brokers", as_of: "2026-11-20", fresh: true, regions: ["CA", "TX"] },
  ]);
  const brokers = feedOf("us_brokers");
  expect(data[1]).toMatchObject({
    name: brokers?.name,
    country: "US",
    cadence: "daily",
    allowed_filters: brokers?.allowedFilters,
    columns: brokers?.columns.map((column) => column.name),
  });
});

it("shows a feed as not fresh from the sixth day after its as_of, and still lists it", async () => {
  const caller = await fixture.caller({ feeds: { us_brokers: null } });
  fixture.clock.set("2026-11-25T23:59:59Z");
  expect((await listFeeds(fixture.context, caller)).data).toMatchObject([{ fresh: true }]);
  fixture.clock.set("2026-11-26T00:00:00Z");
  expect((await listFeeds(fixture.context, caller)).data).toMatchObject([
    { fresh: false, as_of: "2026-11-20" },
  ]);
});
