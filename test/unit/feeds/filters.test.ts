import { describe, expect, it } from "vitest";
import { FEEDS, FILTERS, type FilterName, feedOf } from "../../../src/feeds/catalogue.ts";
import { parseFilters } from "../../../src/feeds/records/filters.ts";
import { STATE_CODES } from "../../../src/registry/places/state-codes.ts";
import { rawOf, USUAL } from "../../support/feeds/filter-table.ts";

const NEW = "us_new_authority_weekly";
const SMALL = "us_small_carriers_active";
const BROKERS = "us_brokers";

/** The requested values, by filter. */
type Asked = Partial<Record<FilterName, readonly string[] | number>>;

const parse = (feedCode: string, sent: Record<string, string | string[]>): Asked => {
  const feed = feedOf(feedCode);
  if (!feed) throw new Error(`no feed ${feedCode}`);
  const asked = parseFilters(
    feed,
    new Map(Object.entries(sent).map(([name, value]) => [name, [value].flat()])),
    "readRecords",
  );
  return Object.fromEntries(asked.map(({ filter, value }) => [filter.name, value]));
};

const GOOD: [string, Record<string, string | string[]>, Asked][] = [
  [NEW, {}, {}],
  [NEW, { state: "TX" }, { state: ["TX"] }],
  [NEW, { state: " tx ,Ca,TX" }, { state: ["CA", "TX"] }],
  [NEW, { state: ["tx,ok", "ca"] }, { state: ["CA", "OK", "TX"] }],
  [NEW, { state: STATE_CODES.join(",") }, { state: [...STATE_CODES].sort() }],
  [NEW, { state: "PR,VI,GU,AS,MP,DC" }, { state: ["AS", "DC", "GU", "MP", "PR", "VI"] }],
  [SMALL, { trucks_min: "0" }, { trucks_min: 0 }],
  [SMALL, { trucks_max: "0020" }, { trucks_max: 20 }],
  [SMALL, { trucks_min: "5", trucks_max: "5" }, { trucks_min: 5, trucks_max: 5 }],
  [SMALL, { trucks_max: "2147483647" }, { trucks_max: 2_147_483_647 }],
  [BROKERS, { granted_since: "2024-02-29" }, { granted_since: 19_782 }],
  [
    BROKERS,
    { max_days_in_business: "365", min_days_in_business: "0" },
    { min_days_in_business: 0, max_days_in_business: 365 },
  ],
  [NEW, { general_freight: "true" }, { general_freight: ["true"] }],
  [NEW, { general_freight: "false" }, { general_freight: ["false"] }],
  [NEW, { general_freight: "TRUE" }, { general_freight: ["true"] }],
  [NEW, { general_freight: "False" }, { general_freight: ["false"] }],
  [NEW, { general_freight: "1" }, { general_freight: ["true"] }],
  [BROKERS, { has_cell: "0" }, { has_cell: ["false"] }],
  [BROKERS, { has_cell: "false" }, { has_cell: ["false"] }],
  [NEW, { time_zone: "Eastern" }, { time_zone: ["America/New_York"] }],
  [NEW, { time_zone: "mountain" }, { time_zone: ["America/Denver", "America/Phoenix"] }],
  [NEW, { time_zone: "America/Phoenix" }, { time_zone: ["America/Phoenix"] }],
  [NEW, { time_zone: "Hawaii" }, { time_zone: ["America/Adak", "Pacific/Honolulu"] }],
  [SMALL, { phone_type: "either" }, { phone_type: ["either"] }],
  [BROKERS, { entity_type: "freight_forwarder" }, { entity_type: ["freight_forwarder"] }],
];

const BAD: [string, Record<string, string | string[]>, string, string][] = [
  [NEW, { stat: "TX" }, '"stat"', "Allowed are state, trucks_min"],
  [NEW, { page: "1" }, '"page"', "Allowed are state"],
  [NEW, { "": "1" }, '""', "Allowed are state"],
  [NEW, { constructor: "x" }, '"constructor"', "Allowed are state"],
  [NEW, { State: "TX" }, '"State"', "Allowed are state"],
  [NEW, { state: "" }, "state has an empty item", "two-letter US state codes"],
  [NEW, { state: "TX,,OK" }, "state has an empty item", "two-letter US state codes"],
  [NEW, { state: "TX;OK" }, 'state: "TX;OK"', "AL, AK"],
  [NEW, { state: "XX" }, 'state: "XX"', "AL, AK"],
  [NEW, { state: "Texas" }, 'state: "Texas"', "AL, AK"],
  [NEW, { state: "ON" }, 'state: "ON"', "AL, AK"],
  [NEW, { state: Array(101).fill("TX") }, "state has 101 items", "at most 100"],
  [SMALL, { trucks_min: "" }, "trucks_min is empty", "one value"],
  [SMALL, { trucks_min: "-1" }, 'trucks_min: "-1"', "whole numbers from 0"],
  [SMALL, { trucks_min: "1.0" }, 'trucks_min: "1.0"', "whole numbers from 0"],
  [SMALL, { trucks_min: "1e3" }, 'trucks_min: "1e3"', "whole numbers from 0"],
  [SMALL, { trucks_min: " 5" }, 'trucks_min: " 5"', "whole numbers from 0"],
  [SMALL, { trucks_min: "٣" }, 'trucks_min: "٣"', "whole numbers from 0"],
  [SMALL, { trucks_max: "2147483648" }, 'trucks_max: "2147483648"', "to 2147483647"],
  [SMALL, { trucks_max: "99999999999999999999" }, "trucks_max:", "whole numbers from 0"],
  [SMALL, { trucks_min: ["1", "2"] }, "trucks_min is given 2 times", "one value"],
  [SMALL, { trucks_min: "6", trucks_max: "5" }, "trucks_min (6) is above trucks_max (5)", "minimum"],
  [BROKERS, { granted_since: "2026-02-29" }, 'granted_since: "2026-02-29"', "YYYY-MM-DD"],
  [BROKERS, { granted_since: "2026-13-01" }, 'granted_since: "2026-13-01"', "YYYY-MM-DD"],
  [BROKERS, { granted_since: "2026-1-1" }, 'granted_since: "2026-1-1"', "YYYY-MM-DD"],
  [BROKERS, { granted_since: "2026-01-01T00:00:00Z" }, "granted_since:", "YYYY-MM-DD"],
  [BROKERS, { granted_since: "yesterday" }, "granted_since:", "YYYY-MM-DD"],
  [
    BROKERS,
    { min_days_in_business: "9", max_days_in_business: "8" },
    "min_days_in_business (9) is above max_days_in_business (8)",
    "minimum",
  ],
  [NEW, { general_freight: "01" }, 'general_freight: "01"', "true, false, 1, 0"],
  [NEW, { has_cell: "yes" }, 'has_cell: "yes"', "true, false, 1, 0"],
  [
    NEW,
    { time_zone: "GMT" },
    'time_zone: "GMT"',
    "Eastern, Central, Mountain, Pacific, Alaska, Hawaii, America/",
  ],
  [NEW, { time_zone: "Eastern,Central" }, "time_zone:", "Eastern"],
  [SMALL, { phone_type: "Mobile" }, 'phone_type: "Mobile"', "mobile, landline, either"],
  [BROKERS, { entity_type: "carrier" }, 'entity_type: "carrier"', "broker, freight_forwarder"],
];

describe("filters", () => {
  it.each(GOOD)("%s reads %j", (feedCode, sent, expected) => {
    expect(parse(feedCode, sent)).toEqual(expected);
  });

  it.each(BAD)("%s refuses %j, with the mistake and the allowed values", (feedCode, sent, wrong, allowed) => {
    let problem: unknown;
    try {
      parse(feedCode, sent);
    } catch (error) {
      problem = error;
    }
    expect(problem).toMatchObject({ name: "ProblemError", code: "invalid_filter" });
    expect((problem as Error).message).toContain(wrong);
    expect((problem as Error).message).toContain(allowed);
  });

  it("repeats only the beginning of a long value", () => {
    expect(() => parse(NEW, { time_zone: "x".repeat(10_000) })).toThrow(/^.{0,600}$/s);
  });

  const pairs = FEEDS.flatMap((feed) => FILTERS.map(({ name }) => [feed, name] as const));
  it.each(pairs)("$code accepts %s only if the contract lists it", (feed, name) => {
    const attempt = () => parse(feed.code, Object.fromEntries(rawOf(USUAL[name].query)));
    if (feed.allowedFilters.includes(name)) expect(attempt()).not.toEqual({});
    else expect(attempt).toThrow(`"${name}" is not allowed on ${feed.code}`);
  });
});
