import { beforeAll, describe, expect, it } from "vitest";
import { FEEDS } from "../../../../../src/feeds/catalogue.ts";
import { AMPLE } from "../../../../support/feeds/every-feed.ts";
import { AS_OF, recordsOf } from "../../../../support/feeds/every-record.ts";
import {
  BAD_BY_FEED,
  firstName,
  GOOD_BY_FEED,
  NOT_ON_FEED,
  TOGETHER,
} from "../../../../support/feeds/filter-table.ts";
import type { FeedRecord } from "../../../../support/feeds/published-feed.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { expectProblem } from "../../../../support/problems.ts";
import { ask, BROKERS, key, NEW, type Page, read, service, useRecordPages } from "./record-pages.ts";

useRecordPages();

describe("the specification's filter table", () => {
  it.each(GOOD_BY_FEED)(
    "%s accepts %s and returns exactly the matching records",
    async (feed, query, one) => {
      const all = recordsOf(feed);
      const expected = all.filter(one.holds);
      expect((await read(feed, `${query}&page_size=1000`)).data).toEqual(expected);
      // A case that matches all or no records by accident would show little.
      expect(expected.length > 0).toBe(one.finds !== "none");
      if (!one.finds) expect(expected.length).toBeLessThan(all.length);
    },
  );

  it.each(TOGETHER)("%s accepts several filters, all of which must match", async (feed, parts) => {
    const expected = recordsOf(feed).filter((record) => parts.every(({ holds }) => holds(record)));
    const { data } = await read(feed, `${parts.map(({ query }) => query).join("&")}&page_size=1000`);
    expect(data).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });

  it.each(NOT_ON_FEED)("%s refuses %s", async (feed, query) => {
    await expectProblem(await ask(feed, query), 400, "invalid_filter", firstName(query));
  });

  it.each(BAD_BY_FEED)("%s refuses %s", async (feed, query) => {
    await expectProblem(await ask(feed, query), 400, "invalid_filter", firstName(query));
  });

  it.each(["colour=red", "State=TX", "states=TX", "state[]=TX", "__proto__=1", "=", "%00=1", "sort=company"])(
    "every feed refuses the unknown parameter of %s",
    async (query) => {
      for (const { code } of FEEDS) await expectProblem(await ask(code, query), 400, "invalid_filter");
    },
  );

  it("names every parameter that is allowed, not only the filters", async () => {
    const filters =
      "state, granted_since, min_days_in_business, max_days_in_business, has_cell, entity_type, exclude_individuals, insurer, insurer_is, out_of_service, cancellation_before";
    const detail = `"colour" is not allowed on ${BROKERS}. Allowed are ${filters}, since, page, page_size, fields, version.`;
    await expectProblem(await ask(BROKERS, "page=1&colour=red"), 400, "invalid_filter", detail);
  });
});

describe("pages", () => {
  const dots = ({ data }: Page) => data.map((record) => record.dot_number);

  it.each(FEEDS.map(({ code }) => code))("of %s together are the feed, with any page size", async (feed) => {
    const all = recordsOf(feed);
    for (const size of [7, 70, 100, 209, 210, 211, 1000]) {
      const rows: FeedRecord[] = [];
      let hasMore = true;
      for (let page = 1; hasMore; page++) {
        const answer = await read(feed, `page=${page}&page_size=${size}`);
        expect(answer).toMatchObject({ page, page_size: size, as_of: AS_OF });
        rows.push(...answer.data);
        hasMore = answer.has_more;
        expect(hasMore).toBe(rows.length < all.length);
      }
      expect(rows).toEqual(all);
    }
  });

  it("are the first, of 100 records, unless asked otherwise", async () => {
    const page = await read(NEW);
    expect(page).toMatchObject({ page: 1, page_size: 100, has_more: true });
    expect(page).toMatchObject({ meta: { feed: NEW, scope: { regions: null } } });
    expect(page.data).toEqual(recordsOf(NEW).slice(0, 100));
    expect(dots(await read(NEW, "page=3"))).toHaveLength(10);
  });

  it.each([
    ["page=1&page_size=210", 210, false],
    ["page=1&page_size=209", 209, true],
    ["page=2&page_size=209", 1, false],
    ["page=210&page_size=1", 1, false],
    ["page=209&page_size=1", 1, true],
    ["page=211&page_size=1", 0, false],
    ["page=2&page_size=210", 0, false],
    ["page=2147483647&page_size=1000", 0, false],
    ["page=2147483647&page_size=1000&state=TX", 0, false],
    // A third of the brokers: 70 records.
    ["page=7&page_size=10&entity_type=freight_forwarder", 10, false],
    ["page=6&page_size=10&entity_type=freight_forwarder", 10, true],
    ["page=8&page_size=10&entity_type=freight_forwarder", 0, false],
  ])("at %s have %i records, more to follow: %s", async (query, count, hasMore) => {
    const page = await read(BROKERS, query);
    expect([page.data.length, page.has_more]).toEqual([count, hasMore]);
  });

  it.each(["page=0", "page=2147483648", "page_size=0", "page_size=1001", "page=1&page=1", "page_size=1e1"])(
    "outside of the limits are refused: %s",
    async (query) => {
      const answer = await ask(BROKERS, query);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ detail: [{ loc: ["query", firstName(query)] }] });
    },
  );
});

describe("since", () => {
  it.each([AS_OF, "2026-11-19", "2026-11-09", "2026-10-31", "1970-01-01", "2026-11-21"])(
    "%s returns the records granted or verified on that day or later, on every feed",
    async (since) => {
      for (const { code } of FEEDS) {
        const expected = recordsOf(code).filter(
          ({ authority_granted: granted, last_verified: verified }) =>
            String(verified) >= since || (granted !== null && String(granted) >= since),
        );
        expect((await read(code, `since=${since}&page_size=1000`)).data).toEqual(expected);
      }
    },
  );

  it("and filters must all match", async () => {
    const { data } = await read(BROKERS, "since=2026-11-20&state=TX&page_size=1000");
    expect(data.length).toBeGreaterThan(0);
    for (const record of data) {
      expect(record.state).toBe("TX");
      expect([record.authority_granted, record.last_verified]).toContain("2026-11-20");
    }
  });
});

describe("a plan's regions", () => {
  let texan: string;
  beforeAll(async () => {
    ({ key: texan } = await service.createAccount({ ...AMPLE, feeds: { [NEW]: ["GU", "TX"] } }));
  });
  const within = (states: string[]) =>
    recordsOf(NEW).filter(({ state }) => state !== null && states.includes(String(state)));

  it.each([
    ["", ["GU", "TX"]],
    ["state=TX,CA", ["TX"]],
    ["state=CA,ok,tx,gu", ["GU", "TX"]],
    ["state=CA", []],
  ])("with %j give %j, as meta says", async (query, regions) => {
    const page = await read(NEW, `${query}&page_size=1000`, texan);
    expect(page.meta.scope.regions).toEqual(regions);
    expect(page.data).toEqual(within(regions));
    expect(page.has_more).toBe(false);
  });
});

// These tests publish again or move the clock, so they come last.
describe("a feed version", () => {
  const publish = (company: string, asOf: string, count = 20): Promise<number> =>
    publishFeed(service.context.db, BROKERS, {
      records: Array.from({ length: count }, (_, index) =>
        feedRecord(BROKERS, { company, dot_number: String(index + 1), state: index % 2 ? "TX" : "CA" }),
      ),
      asOf,
      now: service.clock.now(),
    });
  const companies = ({ data }: Page) => [...new Set(data.map(({ company }) => company))];

  it("that was replaced can be read by its number for 24 hours", async () => {
    const old = await publish("OLD", AS_OF);
    expect((await read(BROKERS)).meta.version).toBe(old);
    const tag = (await ask(BROKERS)).headers.get("etag") ?? "";
    const next = await publish("NEXT", "2026-11-21");
    expect(next).toBeGreaterThan(old);

    const current = await ask(BROKERS, "", key, { "If-None-Match": tag });
    expect(current.status).toBe(200);
    const newest = (await current.json()) as Page;
    expect([companies(newest), newest.as_of, newest.meta.version]).toEqual([["NEXT"], "2026-11-21", next]);
    const second = await read(BROKERS, `version=${old}&page=2&page_size=15`);
    expect([companies(second), second.data.length]).toEqual([["OLD"], 5]);
    expect([second.as_of, second.meta.version, second.has_more]).toEqual([AS_OF, old, false]);
    expect(companies(await read(BROKERS, `version=${old}&state=TX`))).toEqual(["OLD"]);
    // The tag names the old version.
    expect((await ask(BROKERS, `version=${old}`, key, { "If-None-Match": tag })).status).toBe(304);

    service.clock.advance(24 * 3_600_000);
    expect(companies(await read(BROKERS, `version=${old}`))).toEqual(["OLD"]);
    service.clock.advance(1);
    await expectProblem(await ask(BROKERS, `version=${old}`), 400, "invalid_filter", `version ${old}`);
    expect(companies(await read(BROKERS, `version=${next}`))).toEqual(["NEXT"]);
  });

  it("is the requested one, whichever others exist at the same time", async () => {
    const first = await publish("FIRST", "2026-11-22");
    const second = await publish("SECOND", "2026-11-22");
    await publish("THIRD", "2026-11-22");
    const asked = [first, second, 2_147_483_647, first, second];
    const answers = await Promise.all(asked.map((version) => ask(BROKERS, `version=${version}`)));
    const seen = answers.map(async (answer) =>
      answer.status === 200 ? companies((await answer.json()) as Page)[0] : answer.status,
    );
    expect(await Promise.all(seen)).toEqual(["FIRST", "SECOND", 400, "FIRST", "SECOND"]);
  });

  it("of another feed, an unknown one and a repeated one are refused", async () => {
    const { meta } = await read(NEW);
    for (const version of [meta.version, 2_147_483_647]) {
      await expectProblem(await ask(BROKERS, `version=${version}`), 400, "invalid_filter", "version");
    }
    expect((await ask(NEW, `version=${meta.version}&version=${meta.version}`)).status).toBe(422);
  });
});
