import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import type { FeedCode } from "../../../../src/feeds/catalogue.ts";
import { type RecordsAnswer, readRecords } from "../../../../src/feeds/records/records.ts";
import { type FeedsFixture, filters, openFeedsFixture } from "../../../support/feeds/feeds-fixture.ts";
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

  it("has a state filter as its regions if the plan has every state", async () => {
    const caller = await fixture.caller({ feeds: { [SMALL]: null } });
    const body = bodyOf(await read(caller, SMALL, { sent: { state: "tx" } }));
    expect(body.meta.scope.regions).toEqual(["TX"]);
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
