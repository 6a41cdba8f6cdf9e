import { describe, expect, it } from "vitest";
import { feedLine, SENTENCES } from "../../../src/carriers/decision/feed-lines.ts";
import type { Membership } from "../../../src/carriers/explain/feed-membership.ts";
import { type Feed, feedOf } from "../../../src/feeds/catalogue.ts";
import { FEED_RULES } from "../../../src/feeds/rules/feed-rules.ts";
import { NOT_REMOVED } from "../../../src/feeds/rules/rule.ts";

const SMALL = feedOf("us_small_carriers_active") as Feed;

const member = (failure: string | null, record: Membership["record"] = null) =>
  ({ failure, record, authority_status: "inactive", power_units: 34 }) as Membership;

type Known = Parameters<typeof feedLine>[1];

const because = (known: Partial<Known>, regions: readonly string[] | null = null) =>
  feedLine(
    { feed: SMALL, regions },
    {
      asOf: "2026-11-20",
      memberships: [],
      records: [{ feed: "us_brokers", record: { state: "TX" } }],
      ...known,
    },
  ).because;

it("every rule has a sentence for customers, but that of removals", () => {
  const codes = Object.values(FEED_RULES).flatMap(({ rules, unselected }) => [
    ...rules.map(({ code }) => code),
    ...(unselected ? [unselected.code] : []),
  ]);
  expect(Object.keys(SENTENCES).toSorted()).toEqual(
    [...new Set(codes)].filter((code) => code !== NOT_REMOVED.code).toSorted(),
  );
});

describe("why a carrier is not in a feed", () => {
  it("is nothing when the caller sees it there, whatever the rules say now", () => {
    const records = [{ feed: SMALL.code, record: { state: "TX" } }];
    const known: Known = { asOf: "2026-11-20", memberships: [member("authority_not_active")], records };
    expect(feedLine({ feed: SMALL, regions: null }, known)).toMatchObject({ isIn: true, because: null });
  });

  it("is that the feed is not live", () => {
    expect(because({ asOf: null })).toBe("The feed is not live yet.");
  });

  it("is its state before anything else, also when no record has a state", () => {
    const outside = "It is outside the states of your plan.";
    expect(because({ memberships: [member("too_many_power_units")] }, ["CA"])).toBe(outside);
    expect(because({ memberships: [member(null, {})] }, ["CA"])).toBe(outside);
    expect(because({ records: [] }, ["CA"])).toBe(outside);
    expect(because({ memberships: [member("too_many_power_units")] }, ["TX"])).toContain("34 trucks");
  });

  it("is the rule that its nearest authority fails", () => {
    const members = [
      member("authority_not_active"),
      member("too_many_power_units"),
      member("usdot_not_active"),
    ];
    expect(because({ memberships: members })).toContain("34 trucks");
    expect(because({ memberships: [...members, member(null)] })).toBe(
      "The feed shows another authority of the company.",
    );
  });

  it("is that it has no authority of the kind", () => {
    expect(because({})).toBe("It has no authority as carrier of property or carrier of household goods.");
  });

  it("never tells of a removal", () => {
    const silent = "The version of 2026-11-20 does not have it.";
    expect(because({ memberships: [member(NOT_REMOVED.code)] })).toBe(silent);
    expect(because({ memberships: [member(null, { company: "A" })] })).toBe(silent);
    expect(because({ memberships: [member(NOT_REMOVED.code), member("too_many_power_units")] })).toBe(silent);
  });
});
