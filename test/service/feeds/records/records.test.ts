import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import type { FeedCode } from "../../../../src/feeds/catalogue.ts";
import { type RecordsAnswer, readRecords } from "../../../../src/feeds/records/records.ts";
import {
  type FeedsFixture,
  filters,
  openFeedsFixture,
  rowsUsed,
} from "../../../support/feeds/feeds-fixture.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";

const SMALL = "us_small_carriers_active";
const BROKERS = "us_brokers";
const AS_OF = "2026-11-20";

let fixture: FeedsFixture;
let small: number;
beforeAll(async () => {
  fixture = await openFeedsFixture();
  small = await publish(SMALL, 25);
});
afterAll(() => fixture.close());

/** A version whose records are in TX, CA and no state, in turn. */
const publish = (feedCode: FeedCode, count: number, asOf = AS_OF): Promise<number> =>
  publishFeed(fixture.context.db, feedCode, {
    records: Array.from({ length: count }, (_, index) =>
      feedRecord(feedCode, { dot_number: String(index + 1), state: ["TX", "CA", null][index % 3] ?? null }),
    ),
    asOf,
    now: fixture.clock.now(),
  });

interface Asked {
  page?: number;
  page_size?: number;
  since?: string;
  version?: number;
  sent?: Record<string, string>;
  ifNoneMatch?: string;
}

const read = (caller: Caller, feedCode: string, asked: Asked = {}): Promise<RecordsAnswer> => {
  const { sent, ...query } = asked;
  return readRecords(fixture.context, caller, feedCode, {
    page: 1,
    page_size: 10,
    ...query,
    filters: filters(sent),
  });
};

const bodyOf = (answer: RecordsAnswer) => JSON.parse(answer.body?.json.toString() ?? "null");

const problem = (code: string, detail: RegExp = /./) =>
  expect.objectContaining({ name: "ProblemError", code, message: expect.stringMatching(detail) });

describe("a page", () => {
  it("has its position and the version's facts", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: null } });
    const answer = await read(caller, SMALL, { page: 3 });
    const { data, ...rest } = bodyOf(answer);
    expect(data.map((record: { dot_number: string }) => record.dot_number)).toEqual([
      "21",
      "22",
      "23",
      "24",
      "25",
    ]);
    expect(rest).toEqual({
      page: 3,
      page_size: 10,
      has_more: false,
      as_of: AS_OF,
      meta: {
        feed: SMALL,
        version: small,
        scope: { regions: null },
        total_rows: 25,
        checkpoint: {
          version: small,
          rows: 25,
          digest: expect.stringMatching(/^[0-9a-f]{16}$/),
          removals: expect.any(Number),
        },
        verified_on: { motus: "2026-11-20", legacy: "2026-05-14" },
      },
    });
    expect(answer.headers.ETag).toMatch(/^"[^"]+"$/);
  });

  it("has no more when it ends exactly with the feed", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: null } });
    expect(bodyOf(await read(caller, SMALL, { page: 5, page_size: 5 })).has_more).toBe(false);
    expect(bodyOf(await read(caller, SMALL, { page: 4, page_size: 5 })).has_more).toBe(true);
  });

  it("beyond the end is empty, however far, and free", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: null }, rowsPerMonth: 0 });
    for (const page of [4, 1_000_000, 2_147_483_647]) {
      for (const sent of [{}, { state: "TX" }]) {
        const body = bodyOf(await read(caller, SMALL, { page, page_size: 1000, sent }));
        expect(body).toMatchObject({ data: [], page, has_more: false });
      }
    }
  });

  it("is limited to the plan's states, whatever state is requested", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: ["CA", "NY"] } });
    const whole = bodyOf(await read(caller, SMALL, { page_size: 100 }));
    expect(new Set(whole.data.map((record: { state: string }) => record.state))).toEqual(new Set(["CA"]));
    expect(whole.data).toHaveLength(8);
    expect(whole.meta.scope.regions).toEqual(["CA", "NY"]);
    const outside = bodyOf(await read(caller, SMALL, { sent: { state: "TX" } }));
    expect(outside).toMatchObject({ data: [], has_more: false, meta: { scope: { regions: [] } } });
    const both = bodyOf(await read(caller, SMALL, { sent: { state: "TX,CA" } }));
    expect(both.meta.scope.regions).toEqual(["CA"]);
  });

  it("has a state filter as its regions if the plan has every state", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: null } });
    const body = bodyOf(await read(caller, SMALL, { sent: { state: "tx" } }));
    expect(body.meta.scope.regions).toEqual(["TX"]);
  });

  it("is charged by its rows, and refused completely when they do not fit", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: null }, rowsPerMonth: 15 });
    await read(caller, SMALL);
    await expect(read(caller, SMALL, { page: 2 })).rejects.toEqual(
      problem("quota_exceeded", /10 rows, and 5 of/),
    );
    await read(caller, SMALL, { page: 5, page_size: 6 });
    await expect(read(caller, SMALL, { page_size: 5 })).rejects.toEqual(
      problem("quota_exceeded", /and 4 of/),
    );
    await read(caller, SMALL, { page_size: 4 });
    expect(await rowsUsed(fixture.context, caller)).toEqual({ api: 15, export: 0, quota: 15 });
  });

  it("that has not changed is 304 and free, even when the quota is used up", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: null }, rowsPerMonth: 10 });
    const { headers } = await read(caller, SMALL);
    const again = await read(caller, SMALL, { ifNoneMatch: headers.ETag });
    expect(again).toEqual({ status: 304, headers, body: null });
    expect((await rowsUsed(fixture.context, caller)).quota).toBe(10);
    const other = await fixture.caller({ feeds: { [SMALL]: ["TX"] } });
    expect((await read(other, SMALL, { ifNoneMatch: headers.ETag })).status).toBe(200);
  });
});

describe("a request is refused", () => {
  it("alike for a feed that the plan lacks and for an unknown one", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: null } });
    for (const code of [BROKERS, "us_unicorns", "__proto__", ""]) {
      await expect(read(caller, code)).rejects.toEqual(problem("not_entitled"));
    }
  });

  it("in the order entitlement, live, filters, freshness, quota", async () => {
    const feeds = { [SMALL]: null, us_revocation_pending: null };
    const caller = await fixture.caller({ feeds, rowsPerMonth: 0 });
    const sent = { entity_type: "broker" };
    await expect(read(caller, "us_revocation_pending", { sent })).rejects.toEqual(problem("feed_not_live"));
    fixture.clock.set("2026-11-26T00:00:00Z");
    await expect(read(caller, SMALL, { sent })).rejects.toEqual(problem("invalid_filter"));
    await expect(read(caller, SMALL)).rejects.toEqual(problem("stale_source", /2026-11-20/));
    await expect(read(caller, SMALL)).rejects.toHaveProperty("retryAfterSeconds", expect.any(Number));
    fixture.clock.set("2026-11-25T23:59:59Z");
    await expect(read(caller, SMALL)).rejects.toEqual(problem("quota_exceeded"));
    fixture.clock.set("2026-11-21T12:00:00Z");
  });

  it("as stale even with the tag of the page", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: null } });
    const { headers } = await read(caller, SMALL);
    fixture.clock.set("2026-11-26T00:00:00Z");
    await expect(read(caller, SMALL, { ifNoneMatch: headers.ETag })).rejects.toEqual(problem("stale_source"));
    fixture.clock.set("2026-11-21T12:00:00Z");
  });
});
