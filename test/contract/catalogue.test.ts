// The code generated from openapi.yaml, against the specification's own tables and the columns of 1.0.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EVENT_TYPE_FEEDS, EVENT_TYPES, eventTypeLabel } from "../../src/events/event-types.ts";
import { columnNames, FEEDS, type Feed, FILTERS, isContact, isVolatile } from "../../src/feeds/catalogue.ts";
import { csvHeader } from "../../src/feeds/export/format.ts";
import { wordsOf } from "../../src/feeds/versions/packed-columns.ts";
import { CARGO_WORDS } from "../../src/registry/cargo.ts";
import {
  SPECIFIED_EVENT_TYPES,
  SPECIFIED_FEEDS,
  SPECIFIED_FILTER_ROWS,
  SPECIFIED_FILTERS,
} from "../support/specification.ts";

// biome-ignore lint/suspicious/noExplicitAny: a parsed document, read by whatever path a test needs.
type Json = any;
const document: Json = parse(readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8"));
const { readRecords, listEvents } = Object.fromEntries(
  Object.values<Json>(document.paths).flatMap(({ get }) => (get ? [[get.operationId, get]] : [])),
);

const COLUMNS_OF_1_0: Record<string, string[]> = JSON.parse(
  readFileSync(new URL("../fixtures/columns-of-1.0.json", import.meta.url), "utf8"),
);

const feedOf = (code: string): Feed => FEEDS.find((feed) => feed.code === code) as Feed;
const schemaOf = (feed: Feed): Json =>
  Object.values<Json>(document.components.schemas).find((schema) => schema["x-feed"] === feed.code);

describe("the catalogue", () => {
  it("has the feeds of the specification's table, in its order, before any other", () => {
    expect(FEEDS.slice(0, SPECIFIED_FEEDS.length).map((feed) => feed.code)).toEqual(SPECIFIED_FEEDS);
  });

  it.each(SPECIFIED_FILTER_ROWS)("allows %j on exactly %j", (names, feedCodes) => {
    for (const name of names) {
      const allowing = FEEDS.filter((feed) => feed.allowedFilters.some((allowed) => allowed === name));
      const codes = allowing.map((feed) => feed.code);
      expect(codes.filter((code) => SPECIFIED_FEEDS.includes(code))).toEqual(feedCodes);
    }
  });

  it("lists the specification's filters first, in its order, on every feed", () => {
    const specified = [...SPECIFIED_FILTERS.keys()];
    expect(FILTERS.slice(0, specified.length).map(({ name }) => name)).toEqual(specified);
    for (const { allowedFilters } of FEEDS) {
      expect(allowedFilters).toEqual(
        FILTERS.map(({ name }) => name).filter((name) => allowedFilters.includes(name)),
      );
    }
  });

  it.each(FEEDS)(
    "begins $code with the columns of 1.0 in the order of its CSV, and says since when it has others",
    (feed) => {
      const names = columnNames(feed);
      const before = COLUMNS_OF_1_0[feed.code] ?? names;
      expect(names.slice(0, before.length)).toEqual(before);
      const { properties } = schemaOf(feed);
      expect(names).toEqual(Object.keys(properties));
      for (const name of names.slice(before.length)) {
        expect(properties[name]["x-since"], name).toMatch(/^1\.[1-9]/);
      }
    },
  );

  it.each(FEEDS)(
    "names each record of $code by an id, and its docket number if it has one",
    ({ columns }) => {
      const column = (name: string) => columns.find((each) => each.name === name);
      expect(column("record_id")).toMatchObject({ kind: "text", isNullable: false, volatile: null });
      expect(column("docket_number")).toMatchObject({ kind: "text", isNullable: true });
    },
  );

  it("reads types, null, and marks off the schemas", () => {
    const column = (code: string, name: string) => feedOf(code).columns.find((each) => each.name === name);
    expect(column("us_brokers", "days_in_business")).toMatchObject({
      kind: "integer",
      isNullable: true,
      volatile: { days_since: "authority_granted" },
    });
    expect(column("us_brokers", "has_cell")).toMatchObject({
      kind: "boolean",
      isNullable: false,
      personal: null,
    });
    expect(column("us_brokers", "entity_type")).toMatchObject({
      kind: "text",
      words: ["broker", "freight_forwarder"],
    });
    expect(column("us_new_authority_weekly", "authority_types")).toMatchObject({
      kind: "list",
      isNullable: false,
      words: ["carrier_property", "carrier_hhg"],
    });
    expect(column("us_revocation_pending", "cargo")).toMatchObject({
      kind: "list",
      isNullable: true,
      words: CARGO_WORDS,
    });
    expect(column("us_new_authority_weekly", "authority_granted")).toMatchObject({
      kind: "date",
      volatile: null,
      sources: [],
    });
    for (const feed of FEEDS) {
      expect(columnNames(feed, isVolatile).sort()).toEqual(["days_in_business", "last_verified"]);
      expect(columnNames(feed, isContact)).toEqual(["phone", "cell_phone", "email"]);
      for (const { name, meaning } of feed.columns) expect(meaning, name).toMatch(/\w/);
    }
  });

  // Versions store a word as its index, also those that an earlier release published.
  it("begins lists of words as 1.0 did", () => {
    const [small, brokers] = [feedOf("us_small_carriers_active"), feedOf("us_brokers")];
    expect(wordsOf(small, "phone_type").slice(0, 3)).toEqual(["mobile", "landline", "either"]);
    expect(wordsOf(brokers, "entity_type").slice(0, 2)).toEqual(["broker", "freight_forwarder"]);
    expect(wordsOf(brokers, "has_cell")).toEqual(["false", "true"]);
    expect(wordsOf(small, "state").slice(0, 5).join()).toBe("AL,AK,AZ,AR,CA");
    const zones = wordsOf(feedOf("us_new_authority_weekly"), "time_zone");
    expect(zones.slice(0, 7)).toEqual([
      ...["America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles"],
      ...["America/Anchorage", "America/Adak"],
    ]);
  });

  it("begins CSV with the header of the contract's examples", () => {
    const { examples } = document.paths["/v1/feeds/{code}/export.csv"].get.responses[200].content["text/csv"];
    for (const [code, { $ref }] of Object.entries<Json>(examples)) {
      const text: string = document.components.examples[$ref.split("/").at(-1)].value;
      expect(csvHeader(columnNames(feedOf(code)))).toBe(text.slice(0, text.indexOf("\r\n") + 2));
    }
  });

  it("has the specification's event types, in its order", () => {
    expect(EVENT_TYPES).toEqual(SPECIFIED_EVENT_TYPES);
    for (const type of EVENT_TYPES) expect(eventTypeLabel(type)).toMatch(/^[A-Z]/);
  });
});

/** The rows of the Markdown tables in a text, without header and rule. */
const tableRows = (text: string): string[][] =>
  [...text.matchAll(/^\|(.*)\|$/gm)]
    .map(([, cells = ""]) => cells.split("|").map((cell) => cell.trim()))
    .slice(2);

describe("the text of the contract", () => {
  it("names the feeds of each filter", () => {
    const documented = tableRows(readRecords.description).flatMap(([names = "", feeds = ""]) =>
      names.split(", ").map((name) => [name, feeds] as const),
    );
    const generated = FILTERS.map(({ name }) => {
      const feeds = FEEDS.filter(({ allowedFilters }) => allowedFilters.includes(name));
      return [name, feeds.map(({ code }) => code).join(", ")];
    });
    expect(documented.filter(([, feeds]) => feeds !== "all feeds").sort()).toEqual(generated.sort());
  });

  it("names the feeds of each event type", () => {
    const documented = tableRows(listEvents.description).map(([type = "", , feeds = ""]) => [
      type,
      feeds.split(", "),
    ]);
    expect(Object.fromEntries(documented)).toEqual(EVENT_TYPE_FEEDS);
  });
});
