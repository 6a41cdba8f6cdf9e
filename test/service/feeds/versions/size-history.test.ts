import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sizeHistories } from "../../../../src/feeds/versions/feeds-list.ts";
import { type FeedsFixture, openFeedsFixture } from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { removeBusinesses } from "../../../support/removals/removals.ts";

const BROKERS = "us_brokers";

let fixture: FeedsFixture;
beforeEach(async () => {
  fixture = await openFeedsFixture();
});
afterEach(() => fixture.close());

const publish = (count: number, asOf: string, feed: "us_brokers" | "us_small_carriers_active" = BROKERS) =>
  publishFeed(fixture.context.db, feed, {
    records: Array.from({ length: count }, (_, index) => feedRecord(feed, { dot_number: String(index + 1) })),
    asOf,
    now: fixture.clock.now(),
  });

const historyOf = async (days = 30) => {
  const caller = await fixture.caller({ feeds: { [BROKERS]: null } });
  return sizeHistories(fixture.context, caller, days);
};

describe("the sizes of a feed", () => {
  it("go from the first known day to the as-of day, without gaps", async () => {
    await publish(4, "2026-11-16");
    await publish(5, "2026-11-18");
    await publish(7, "2026-11-18");
    await publish(3, "2026-11-20");
    expect((await historyOf()).get(BROKERS)).toEqual([
      { day: "2026-11-16", rows: 4 },
      { day: "2026-11-17", rows: 4 },
      { day: "2026-11-18", rows: 7 },
      { day: "2026-11-19", rows: 7 },
      { day: "2026-11-20", rows: 3 },
    ]);
  });

  it("of a time begin with the size of the day before it", async () => {
    await publish(4, "2026-10-01");
    await publish(6, "2026-11-20");
    const days = (await historyOf(30)).get(BROKERS) ?? [];
    expect(days).toHaveLength(29);
    expect(days[0]).toEqual({ day: "2026-10-23", rows: 4 });
    expect(days.at(-1)).toEqual({ day: "2026-11-20", rows: 6 });
  });

  it("leave removed businesses out", async () => {
    await publish(4, "2026-11-20");
    await removeBusinesses(fixture.context.db, [2, 3], fixture.clock.now());
    expect((await historyOf()).get(BROKERS)).toEqual([{ day: "2026-11-20", rows: 2 }]);
  });

  it("are told of live feeds of the plan alone", async () => {
    await publish(4, "2026-11-20", "us_small_carriers_active");
    expect(await historyOf()).toEqual(new Map());
  });

  it("are of a stale feed up to its own day", async () => {
    await publish(4, "2026-09-01");
    expect((await historyOf()).get(BROKERS)).toEqual([]);
  });
});
