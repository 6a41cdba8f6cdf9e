// The catalogue against the specification's filter table, written by hand, and against openapi.yaml.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EVENT_TYPE_FEEDS } from "../../src/events/event-types.ts";
import { FEEDS, type Feed, FILTER_NAMES } from "../../src/feeds/catalogue.ts";
import { csvHeader } from "../../src/feeds/export/csv.ts";

// biome-ignore lint/suspicious/noExplicitAny: a parsed document, asked for whatever a test expects of it.
type Json = any;
const document: Json = parse(readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8"));

const NEW = "us_new_authority_weekly";
const SMALL = "us_small_carriers_active";
const REVOCATION = "us_revocation_pending";
const INSURANCE = "us_insurance_lapse_alerts";
const BROKERS = "us_brokers";

// "Which filters apply to which feed", row by row.
const FILTER_TABLE: [string[], string[]][] = [
  [["state"], [NEW, SMALL, REVOCATION, INSURANCE, BROKERS]],
  [
    ["trucks_min", "trucks_max"],
    [NEW, SMALL, REVOCATION, INSURANCE],
  ],
  [
    ["granted_since", "min_days_in_business", "max_days_in_business"],
    [NEW, SMALL, REVOCATION, BROKERS],
  ],
  [["general_freight", "time_zone"], [NEW]],
  [["has_cell"], [NEW, BROKERS]],
  [["phone_type"], [SMALL, REVOCATION, INSURANCE]],
  [["entity_type"], [BROKERS]],
];

const schemaOf = (feed: Feed): Json =>
  Object.values<Json>(document.components.schemas).find((schema) => schema["x-feed"] === feed.code);

/** A contract's property as the catalogue's kind and nullability. */
const shapeOf = (property: Json) => {
  const types: string[] = [property.type].flat();
  const base = types.find((type) => type !== "null");
  const text = property.format === "date" ? "date" : "text";
  const kind = base === "string" ? text : base === "array" ? "list" : base;
  return { kind, isNullable: types.includes("null") };
};

describe("the catalogue", () => {
  it("has the feeds of the specification's table, in its order", () => {
    expect(FEEDS.map((feed) => feed.code)).toEqual([NEW, SMALL, REVOCATION, INSURANCE, BROKERS]);
  });

  it.each(FILTER_TABLE)("allows %j on exactly %j", (names, feedCodes) => {
    for (const name of names) {
      const allowing = FEEDS.filter((feed) => feed.allowedFilters.some((allowed) => allowed === name));
      expect(allowing.map((feed) => feed.code)).toEqual(feedCodes);
      expect(document.components.parameters[name]["x-feeds"]).toEqual(feedCodes);
    }
  });

  it("knows no filter that the specification does not", () => {
    const named = FILTER_TABLE.flatMap(([names]) => names);
    expect([...FILTER_NAMES].sort()).toEqual(named.sort());
    for (const feed of FEEDS) {
      expect(feed.allowedFilters).toEqual(FILTER_NAMES.filter((name) => feed.allowedFilters.includes(name)));
    }
  });

  it.each(FEEDS)("gives $code the columns of its schema, in order, each with type and null", (feed) => {
    const schema = schemaOf(feed);
    expect(feed.columns.map((column) => column.name)).toEqual(Object.keys(schema.properties));
    expect([...schema.required].sort()).toEqual(feed.columns.map((column) => column.name).sort());
    expect(feed.columns.map(({ name, kind, isNullable }) => ({ name, kind, isNullable }))).toEqual(
      Object.entries<Json>(schema.properties).map(([name, property]) => ({ name, ...shapeOf(property) })),
    );
    for (const column of feed.columns) {
      expect(column.meaning).not.toBe("");
      expect(column.source).not.toBe("");
    }
  });

  it("heads CSV as the contract's examples do", () => {
    for (const [example, code] of [
      ["NewAuthorityCsv", NEW],
      ["BrokersCsv", BROKERS],
    ] as const) {
      const text: string = document.components.examples[example].value;
      const feed = FEEDS.find((each) => each.code === code) as Feed;
      expect(csvHeader(feed.columns)).toBe(text.slice(0, text.indexOf("\r\n") + 2));
    }
  });

  it("ties event types to feeds as the events room does", () => {
    for (const feed of FEEDS) {
      const types = Object.entries(EVENT_TYPE_FEEDS)
        .filter(([, feeds]) => feeds.some((code) => code === feed.code))
        .map(([type]) => type);
      expect([...feed.eventTypes].sort()).toEqual(types.sort());
    }
    expect(Object.keys(EVENT_TYPE_FEEDS)).toEqual(document.components.schemas.EventType.enum);
  });
});
