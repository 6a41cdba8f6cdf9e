import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnNames, type Feed, feedOf } from "../../../src/feeds/catalogue.ts";
import { etagOf, matchesEtag } from "../../../src/feeds/records/checkpoint.ts";
import { parseFilters } from "../../../src/feeds/records/filters.ts";
import { selectionOf } from "../../../src/feeds/records/selection.ts";
import type { FeedVersion } from "../../../src/feeds/versions/feed-version.ts";
import { NO_REMOVALS } from "../../../src/feeds/versions/removals.ts";
import { STATE_CODES } from "../../../src/registry/places/state-codes.ts";
import { rawOf } from "../../support/feeds/filter-table.ts";

const feed = feedOf("us_small_carriers_active") as Feed;
const version: FeedVersion = {
  id: 7,
  feed,
  asOf: "2026-11-20",
  rowCount: 10,
  publishedAtMs: 1,
  builtListState: null,
  columnsHash: null,
  removals: NO_REMOVALS,
  columns: { names: columnNames(feed), missing: [] },
};

const tagFor = (planRegions: readonly string[] | null, sent: Record<string, string> = {}): string => {
  const selection = selectionOf(
    feed,
    parseFilters(feed, rawOf(new URLSearchParams(sent).toString()), "readRecords"),
    {
      asOf: version.asOf,
      planRegions,
      since: undefined,
    },
  );
  return etagOf(version, [selection.key, 1, 100]);
};

const regions = fc.subarray([...STATE_CODES]).map((states) => [...states].sort());

describe("entity tags", () => {
  it("are never the same for two sets of states", () => {
    fc.assert(
      fc.property(fc.option(regions, { nil: null }), fc.option(regions, { nil: null }), (one, other) => {
        const areSame = JSON.stringify(one) === JSON.stringify(other);
        expect(tagFor(one) === tagFor(other)).toBe(areSame);
      }),
      { numRuns: 10_000 },
    );
  });

  it("are the same for filters with the same result, and for no other", () => {
    expect(tagFor(null, { state: "tx, CA" })).toBe(tagFor(["CA", "TX"]));
    expect(tagFor(null, { max_days_in_business: "10" })).toBe(tagFor(null, { granted_since: "2026-11-10" }));
    const sent: Record<string, string>[] = [
      {},
      { state: "TX" },
      { trucks_min: "0" },
      { trucks_max: "0" },
      { trucks_min: "1" },
      { granted_since: "2026-11-10" },
      { min_days_in_business: "10" },
      { phone_type: "mobile" },
      { phone_type: "either" },
    ];
    expect(new Set(sent.map((each) => tagFor(null, each))).size).toBe(sent.length);
  });

  it("differ when a database was restored and uses a number again", () => {
    expect(etagOf({ ...version, publishedAtMs: 2 }, [])).not.toBe(etagOf(version, []));
  });

  it("differ when other rows are removed", () => {
    const without = (key: string) => etagOf({ ...version, removals: { ...NO_REMOVALS, key } }, []);
    expect(new Set([etagOf(version, []), without("a"), without("b")]).size).toBe(3);
  });

  it("differ when another release shows a version with other columns", () => {
    const without = (...missing: string[]) => ({ ...version, columns: { ...version.columns, missing } });
    const tags = [version, without("cargo"), without("cargo", "hazmat")].map((each) => etagOf(each, []));
    expect(new Set(tags).size).toBe(3);
  });

  it("are found in If-None-Match according to RFC 9110", () => {
    const tag = etagOf(version, []);
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, "*", ` ${tag} `]) {
      expect(matchesEtag(header, tag), header).toBe(true);
    }
    for (const header of [undefined, "", '"other"', tag.slice(1, -1), `${tag}x`]) {
      expect(matchesEtag(header, tag), header).toBe(false);
    }
  });
});
