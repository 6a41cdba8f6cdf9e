import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { FEEDS, type FeedCode, feedOf } from "../../../../src/feeds/catalogue.ts";
import { type FeedsFixture, openFeedsFixture } from "../../../support/feeds/feeds-fixture.ts";
import { csvCell, feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import {
  AS_OF,
  askedOf,
  csvLines,
  isAsked,
  sentFilters,
  sentSince,
  values,
  walk,
} from "./random-requests.ts";

let fixture: FeedsFixture;
beforeAll(async () => {
  fixture = await openFeedsFixture();
});
afterAll(() => fixture.close());

describe.each(FEEDS.map((feed) => feed.code))("%s", (feedCode: FeedCode) => {
  it("returns by pages and as CSV the records that match", async () => {
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
          await publishFeed(fixture.context.db, feedCode, { records, asOf: AS_OF, now });
          for (const [cases, since, regionsKey] of asked) {
            const sent = askedOf(feedCode, cases, since);
            const { query } = sent;
            const caller = callers.get(regionsKey) as Caller;
            const expectedRecords = records.filter(isAsked(sent, JSON.parse(regionsKey)));
            expect(await walk(fixture.context, caller, feedCode, query, pageSize)).toEqual(expectedRecords);
            const csv = await csvLines(fixture.context, caller, feedCode, query);
            expect(csv.rows[0]).toEqual([...columns, "licence_ref"]);
            expect(csv.text.split("\r\n").slice(1, -1)).toEqual(
              expectedRecords.map((record) =>
                [...columns.map((name) => csvCell(record[name] ?? null)), caller.licenceRef].join(","),
              ),
            );
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});
