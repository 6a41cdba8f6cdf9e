import { describe, expect, it } from "vitest";
import { MOST_LOOKUPS } from "../../../../../src/carriers/bulk-lookup.ts";
import type { components } from "../../../../../src/generated/types.ts";
import { ALL_FEEDS } from "../../../../support/feeds/every-feed.ts";
import { AS_OF } from "../../../../support/feeds/every-record.ts";
import { feedRecord } from "../../../../support/feeds/published-feed.ts";
import { removeBusinesses, undoRemovals } from "../../../../support/removals/removals.ts";
import { removeRows } from "../../../../support/rows.ts";
import {
  ask,
  askSlowly,
  BROKERS,
  keyOf,
  lookUp,
  outcomes,
  publish,
  RECORDS,
  rowsUsed,
  SMALL,
  service,
  useBulkLookups,
} from "./bulk-lookups.ts";

useBulkLookups();

describe("many carriers", () => {
  it("come in the order asked, in any spelling, each with its records of all feeds", async () => {
    const key = await keyOf();
    const found = await lookUp(
      { usdots: ["104", "00101", "999"], dockets: ["mc-1004", "MC0001001", "ff 55", "MC1999"] },
      key,
    );
    expect(outcomes(found)).toEqual([
      ["104", "found", ["104"]],
      ["00101", "found", ["101"]],
      ["999", "not_found", []],
      ["mc-1004", "found", ["104"]],
      ["MC0001001", "found", ["101"]],
      ["ff 55", "found", ["101"]],
      ["MC1999", "not_found", []],
    ]);
    const [, quoted] = found.data;
    expect(quoted?.carrier?.company).toBe('QUOTED "ÉCLAIR" LLC');
    expect(quoted?.carrier?.records).toEqual([
      { feed: SMALL, as_of: AS_OF, record: feedRecord(SMALL, RECORDS[SMALL]?.[0] ?? {}) },
      { feed: BROKERS, as_of: AS_OF, record: feedRecord(BROKERS, RECORDS[BROKERS]?.[0] ?? {}) },
    ]);
    expect(found.data[5]?.carrier).toEqual(quoted?.carrier);
    expect(found.summary).toEqual({ found: 5, not_found: 2, ambiguous: 0, invalid: 0, rows_charged: 2 });
    expect(await rowsUsed(key)).toBe(2);
  });

  it("are those of the time when the request has arrived: one that was removed meanwhile is not found", async () => {
    const key = await keyOf();
    const asked = { usdots: ["101", "104"] };
    await lookUp(asked, key);
    const found = await askSlowly(asked, key, () => removeBusinesses(service.context.db, [101]));
    expect(outcomes(found)).toEqual([
      ["101", "not_found", []],
      ["104", "found", ["104"]],
    ]);
    await undoRemovals(service.context.db);
  });

  it("are the same as single lookups give", async () => {
    const key = await keyOf();
    const { data } = await lookUp({ usdots: ["101", "102", "103", "104"] }, key);
    for (const { query, carrier } of data) {
      const answer = await service.get(`/v1/carriers/${query}`, key);
      // What is beside the records is of single lookups alone.
      const { events, connected, connected_ended, ...single } =
        (await answer.json()) as components["schemas"]["CarrierOut"];
      expect([events, connected, connected_ended]).toEqual([[], null, null]);
      expect(carrier).toEqual(single);
    }
  });

  it("are ambiguous, for free, when several of the caller's carriers have the docket", async () => {
    const key = await keyOf();
    const { data, summary } = await lookUp({ dockets: ["MC1002"] }, key);
    expect(data).toEqual([
      { query: "MC1002", outcome: "ambiguous", usdots: ["102", "103"], reason: null, carrier: null },
    ]);
    expect([summary.ambiguous, summary.rows_charged, await rowsUsed(key)]).toEqual([1, 0, 0]);
    const texan = await keyOf({ [SMALL]: ["TX"] });
    expect(outcomes(await lookUp({ dockets: ["MC1002"] }, texan))).toEqual([["MC1002", "found", ["103"]]]);
  });

  it("are found by numbers with their kind in words", async () => {
    const asked = { usdots: ["USDOT 101", "U.S. DOT No. 104"], dockets: ["MC No. 1004", "M.C. #1001"] };
    const { data } = await lookUp(asked, await keyOf());
    expect(data.map(({ outcome, usdots }) => [outcome, ...usdots])).toEqual(
      ["101", "104", "104", "101"].map((usdot) => ["found", usdot]),
    );
  });

  it("say what was wrong with a number that can't be read, for free", async () => {
    const key = await keyOf();
    const { data, summary } = await lookUp({ usdots: ["0", "12 34", ""], dockets: ["1004", "MC-"] }, key);
    const reasons = data.map(({ outcome, reason }) => [outcome, reason]);
    const usdot = "A USDOT number has 1 to 8 digits and is not zero.";
    const docket = "A docket number is MC, FF or MX with 1 to 8 digits, such as MC-139446.";
    expect(reasons).toEqual([usdot, usdot, usdot, docket, docket].map((reason) => ["invalid", reason]));
    expect(summary).toEqual({ found: 0, not_found: 0, ambiguous: 0, invalid: 5, rows_charged: 0 });
    expect(await rowsUsed(key)).toBe(0);
  });

  it("are limited to the plan's feeds and states, and never a removed business", async () => {
    const brokers = await keyOf({ [BROKERS]: ["TX"] });
    const asked = { usdots: ["101", "104"], dockets: ["MC1004", "MC1001"] };
    const named = ["101", "104", "MC1004", "MC1001"];
    const found = await lookUp(asked, brokers);
    expect(found.data.map(({ outcome }) => outcome)).toEqual(["found", "not_found", "not_found", "found"]);
    expect(found.data[0]?.carrier?.records.map(({ feed }) => feed)).toEqual([BROKERS]);
    const key = await keyOf();
    await removeBusinesses(service.context.db, [101, 103]);
    const left = await lookUp({ ...asked, dockets: [...asked.dockets, "MC1002"] }, key);
    expect(outcomes(left)).toEqual([
      [named[0], "not_found", []],
      [named[1], "found", ["104"]],
      [named[2], "found", ["104"]],
      [named[3], "not_found", []],
      ["MC1002", "found", ["102"]],
    ]);
    await undoRemovals(service.context.db);
  });

  it("are refused as a whole when the quota has fewer rows, exactly among many requests at its edge", async () => {
    const key = await keyOf(ALL_FEEDS, 1);
    const refused = JSON.parse(await ask({ usdots: ["101", "102"] }, key, 429)) as { code: string };
    expect([refused.code, await rowsUsed(key)]).toEqual(["quota_exceeded", 0]);
    const edge = await keyOf(ALL_FEEDS, 75);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        service.send("POST", "/v1/carriers/lookup", { key: edge, body: { usdots: ["101", "102", "104"] } }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(25);
    expect(statuses.filter((status) => status === 429)).toHaveLength(25);
    expect(await rowsUsed(edge)).toBe(75);
  });

  it("are at least one and at most a thousand", async () => {
    const key = await keyOf();
    const numbers = Array.from({ length: MOST_LOOKUPS }, (_, index) => String(101 + (index % 4)));
    const { data, summary } = await lookUp({ usdots: numbers }, key);
    expect(data.map(({ query }) => query)).toEqual(numbers);
    expect(summary).toMatchObject({ found: MOST_LOOKUPS, rows_charged: 4 });
    for (const body of [{}, { usdots: [] }, { usdots: numbers, dockets: ["MC1001"] }, { usdots: [101] }]) {
      await ask(body, key, 422);
    }
    expect(await rowsUsed(key)).toBe(4);
  });
});

// Many numbers are found in another way than few.
describe.each([
  ["from their packed numbers", async () => {}],
  [
    "in versions of a release that did not pack them",
    async () => {
      await publish();
      await removeRows(service.context.db.pool, "feed_version_column", { name: "usdot" });
    },
  ],
])("a hundred carriers %s", (_, prepare) => {
  const unknown = Array.from({ length: 100 }, (_, index) => String(65_536 + 101 + index));
  const asked = { usdots: ["104", "101", ...unknown, "102"], dockets: ["MC1002", "MC1001"] };

  it("are answered as few are, in the plan's states, without removed businesses", async () => {
    await prepare();
    const key = await keyOf();
    const texan = await keyOf({ [SMALL]: ["TX"], [BROKERS]: null });
    for (const removed of [[], [102, 104]]) {
      await removeBusinesses(service.context.db, removed);
      for (const reader of [key, texan]) {
        const { data } = await lookUp(asked, reader);
        const few = await lookUp({ ...asked, usdots: ["104", "101", "102"] }, reader);
        expect(data.filter(({ query }) => !unknown.includes(query))).toEqual(few.data);
        expect(data.filter(({ outcome }) => outcome === "not_found").length).toBeGreaterThanOrEqual(100);
      }
    }
    await undoRemovals(service.context.db);
  });
});
