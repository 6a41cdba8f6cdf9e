// Rows removed after a version was published are on none of its pages and in none of its exports. All other rows are,
// counted and charged as if the version had been built without the removed ones.
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { FEEDS, type FeedCode, feedOf } from "../../../../src/feeds/catalogue.ts";
import { type FeedsFixture, openFeedsFixture, rowsUsed } from "../../../support/feeds/feeds-fixture.ts";
import { csvCell, feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import {
  blankContacts,
  removeBusinesses,
  unblankContacts,
  undoRemovals,
} from "../../../support/removals/removals.ts";
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

const seed = randomInt(1_000_000);

let fixture: FeedsFixture;
beforeAll(async () => {
  fixture = await openFeedsFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await undoRemovals(fixture.context.db);
  await unblankContacts(fixture.context.db);
});

/** A time after every version here was published. */
const later = (): Date => new Date(fixture.clock.now().getTime() + 1000);

describe.each(FEEDS.map((feed) => feed.code))(`%s (seed ${seed})`, (feedCode: FeedCode) => {
  const contacts = ["3605550142", "2065550100", "info@acme.example"];
  const record = fc.record({
    values,
    usdot: fc.integer({ min: 1, max: 12 }),
    phone: fc.constantFrom(...contacts, null),
    // The text of a contact counts only in a contact column.
    company: fc.constantFrom("ACME", "3605550142", '"phone":"3605550142"'),
  });
  const request = fc.tuple(
    ...[sentFilters, sentSince, fc.constantFrom("null", '["NY","TX"]')],
    fc.integer({ min: 1, max: 12 }),
  );

  it("returns by pages, as CSV and to the quota the rows that match, without the removed ones", async () => {
    const feed = feedOf(feedCode);
    const callers = new Map<string, Caller>();
    for (const regions of [null, ["NY", "TX"]]) {
      const feeds = { [feedCode]: regions };
      callers.set(JSON.stringify(regions), await fixture.caller({ feeds, rowsPerMonth: 10_000_000 }));
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 40, size: "max" }),
        fc.subarray([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 99]),
        fc.subarray(contacts),
        fc.array(request, { minLength: 3, maxLength: 3 }),
        async (drawn, removed, blanked, asked) => {
          await undoRemovals(fixture.context.db);
          await unblankContacts(fixture.context.db);
          const records = drawn.map(({ values: value, usdot, phone, company }) =>
            feedRecord(feedCode, {
              ...value,
              company,
              dot_number: String(usdot),
              ...(phone?.includes("@") ? { email: phone } : { phone }),
            }),
          );
          const now = fixture.clock.now();
          await publishFeed(fixture.context.db, feedCode, { records, asOf: AS_OF, now });
          // Half of the requests find lists that were cached before the removals.
          const [[casesBefore, sinceBefore] = [[], undefined]] = asked;
          await walk(
            fixture.context,
            callers.get("null") as Caller,
            feedCode,
            askedOf(feedCode, casesBefore, sinceBefore).query,
            5,
          );
          await removeBusinesses(fixture.context.db, removed, later());
          await blankContacts(fixture.context.db, blanked, later());
          for (const [cases, since, regionsKey, pageSize] of asked) {
            const caller = callers.get(regionsKey) as Caller;
            const sent = askedOf(feedCode, cases, since);
            const { query } = sent;
            const expected = records
              .filter(isAsked(sent, JSON.parse(regionsKey)))
              .filter(({ dot_number }) => !removed.includes(Number(dot_number)))
              .filter(({ phone, email }) => ![phone, email].some((each) => blanked.includes(String(each))));
            const before = await rowsUsed(fixture.context, caller);
            expect(await walk(fixture.context, caller, feedCode, query, pageSize)).toEqual(expected);
            const csv = await csvLines(fixture.context, caller, feedCode, query);
            const columns = feed?.columns.map(({ name }) => name) ?? [];
            expect(csv.text.split("\r\n").slice(1, -1)).toEqual(
              expected.map((each) =>
                [...columns.map((name) => csvCell(each[name] ?? null)), caller.licenceRef].join(","),
              ),
            );
            const used = await rowsUsed(fixture.context, caller);
            expect(used.api - before.api).toBe(expected.length);
            // The same content is charged once.
            const isFirst = before.export === 0;
            expect(isFirst ? [expected.length] : [0, expected.length]).toContain(used.export - before.export);
          }
        },
      ),
      { seed, numRuns: 10 },
    );
  });
});
