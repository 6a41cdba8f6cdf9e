import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { FEEDS, type FeedCode, feedOf } from "../../../../src/feeds/catalogue.ts";
import { type FeedsFixture, openFeedsFixture } from "../../../support/feeds/feeds-fixture.ts";
import { csvCell, feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { AS_OF, csvLines, sentFilters, sentSince, values, walk, whereOf } from "./random-requests.ts";

let fixture: FeedsFixture;
beforeAll(async () => {
  fixture = await openFeedsFixture();
});
afterAll(() => fixture.close());

describe.each(FEEDS.map((feed) => feed.code))("%s", (feedCode: FeedCode) => {
  it("returns the same rows by pages, as CSV, and by plain SQL", async () => {
    const feed = feedOf(feedCode);
    const columns = feed?.columns.map((column) => column.name) ?? [];
    const callers = new Map<string, Caller>();
    for (const regions of [null, ["NY", "TX"], ["WY"]]) {
      const feeds = { [feedCode]: regions };
      callers.set(JSON.stringify(regions), await fixture.caller({ feeds, rowsPerMonth: 10_000_000 }));
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(values, { maxLength: 40, size: "max" }),
        fc.array(fc.tuple(sentFilters, sentSince, fc.constantFrom(...callers.keys())), {
          minLength: 4,
          maxLength: 4,
        }),
        fc.integer({ min: 1, max: 50 }),
        async (drawn, asked, pageSize) => {
          const records = drawn.map((value) => feedRecord(feedCode, value));
          const now = fixture.clock.now();
          const version = await publishFeed(fixture.context.db, feedCode, { records, asOf: AS_OF, now });
          for (const [sent, since, regionsKey] of asked) {
            const allowed = Object.fromEntries(
              Object.entries(sent).filter(([name]) => feed?.allowedFilters.some((one) => one === name)),
            ) as Record<string, string>;
            const filters = new Map(Object.entries(allowed).map(([name, value]) => [name, [value]]));
            const query = since === undefined ? { filters } : { filters, since };
            const caller = callers.get(regionsKey) as Caller;
            const where = whereOf(allowed, JSON.parse(regionsKey), since);
            const { rows: expected } = await fixture.context.db.pool.query<{ json: string }>(
              `SELECT json FROM published.feed_${version} WHERE ${where} ORDER BY pos`,
            );
            const expectedRecords = expected.map(({ json }) => JSON.parse(json));
            expect(await walk(fixture.context, caller, feedCode, query, pageSize)).toEqual(expectedRecords);
            const csv = await csvLines(fixture.context, caller, feedCode, query);
            expect(csv.rows[0]).toEqual([...columns, "licence_ref"]);
            expect(csv.text.split("\r\n").slice(1, -1)).toEqual(
              expectedRecords.map((record) =>
                [...columns.map((name) => csvCell(record[name])), caller.licenceRef].join(","),
              ),
            );
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});
