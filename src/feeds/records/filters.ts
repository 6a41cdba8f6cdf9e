// The filters of a request: read in the spellings that are accepted, then validated by the schemas of the contract.
import type { ErrorObject, ValidateFunction } from "ajv";
import { operationTable } from "../../generated/operations.ts";
import { dayNumber } from "../../platform/clock.ts";
import { contractAjv } from "../../platform/http/contract-ajv.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import { cleanCapitals } from "../../registry/registry-text.ts";
import { type Feed, FILTERS, type Filter, type FilterName, filterOf } from "../catalogue.ts";
import { TIME_ZONE_GROUPS, TIME_ZONES } from "../codes.ts";
import { COMMA, MOST_PARTS } from "./selection.ts";

/** Filter parameters and unknown parameters, decoded; repeated ones in the order sent. */
export type RawFilters = ReadonlyMap<string, readonly string[]>;

/** The operations that take filters. */
export type FilteredOperation =
  | "readRecords"
  | "exportFeed"
  | "exportFeedAsNdjson"
  | "exportFeedAsParquet"
  | "countRecords"
  | "readFeedChanges";

/** A filter of a request with its valid value. */
export interface AskedFilter {
  filter: Filter;
  /** Sorted distinct words or texts of the filter's column, or a part of one in capitals; or a count, or days since 1970-01-01. */
  value: readonly string[] | number;
}

/** A value in the types of the contract; one that has no such type stays as it was sent. */
type Value = string | number | boolean | readonly string[];

const filtersByName: ReadonlyMap<string, Filter> = new Map(FILTERS.map((each) => [each.name, each]));

/**
 * The filters that the parameters ask for, in the order of the contract. ProblemError invalid_filter for an unknown
 * parameter, a filter that the feed does not have, or a value that is not valid. It names the parameter and what is
 * allowed.
 */
export function parseFilters(feed: Feed, raw: RawFilters, operation: FilteredOperation): AskedFilter[] {
  if (raw.size === 0) return [];
  const values: Record<string, Value> = Object.fromEntries(
    [...raw].map(([name, texts]) => [name, readValue(filtersByName.get(name), texts)]),
  );
  const validate = validatorOf(feed);
  if (!validate(values)) throw refusalOf(feed, raw, validate.errors?.[0] as ErrorObject, operation);
  const asked = feed.allowedFilters.flatMap((name): AskedFilter[] => {
    const filter = filterOf(name);
    const sent = values[name];
    const value = sent === undefined ? null : askedValue(filter, sent);
    return value === null ? [] : [{ filter, value }];
  });
  for (const each of asked) requireRange(raw, asked, each);
  return asked;
}

const validators = new Map<Feed, ValidateFunction>();

function validatorOf(feed: Feed): ValidateFunction {
  const existing = validators.get(feed);
  if (existing) return existing;
  const properties = Object.fromEntries(feed.allowedFilters.map((name) => [name, filterOf(name).schema]));
  const validate = contractAjv().compile({ type: "object", additionalProperties: false, properties });
  validators.set(feed, validate);
  return validate;
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
  ["1", true],
  ["0", false],
]);

/** A value in the spellings that are accepted besides those of the schema. */
function readValue(filter: Filter | undefined, texts: readonly string[]): Value {
  const [text = ""] = texts;
  if (filter?.schema.type === "array") return itemsOf(texts).map(readItem(filter));
  if (texts.length > 1) return texts;
  if (filter?.schema.type === "integer") return /^\d{1,10}$/.test(text) ? Number(text) : text;
  if (filter?.schema.type === "boolean") return TRUTHS.get(text.toLowerCase()) ?? text;
  return filter?.match === "contains" ? (cleanCapitals(text) ?? "") : text;
}

const itemsOf = (texts: readonly string[]): string[] => texts.flatMap((text) => text.split(","));

/** How an item of a list is read: without blanks around it, and in any case. */
const readItem =
  (filter: Filter) =>
  (item: string): string => {
    if (isListOfTexts(filter)) return cleanCapitals(item) ?? "";
    return filter.column === "state" ? item.trim().toUpperCase() : item.trim().toLowerCase();
  };

/** Whether the filter takes whole texts of a column, which are no words of a known list. */
const isListOfTexts = ({ column, schema }: Filter): boolean =>
  schema.type === "array" && schema.items?.enum === undefined && column !== "state";

/** A valid value as selections take it; null if it asks for every record. */
function askedValue(filter: Filter, value: Value): AskedFilter["value"] | null {
  const { column, match, schema } = filter;
  if (match === "not") return value === true ? ["false"] : null;
  if (typeof value === "number") return value;
  if (typeof value === "object") return isListOfTexts(filter) ? textsFrom(value) : wordsFrom(filter, value);
  if (column === "time_zone") return timeZonesFrom(filter, String(value));
  return schema.format === "date" ? dayNumber(String(value)) : [String(value)];
}

function wordsFrom(filter: Filter, items: readonly string[]): readonly string[] {
  const unknown = filter.column === "state" && items.find((item) => !STATE_CODES.includes(item));
  if (typeof unknown === "string") throw wrongValue(filter, unknown);
  return [...new Set(items)].sort();
}

/** The texts that a list may mean: an item, or several in a row as one text with commas. */
function textsFrom(items: readonly string[]): readonly string[] {
  const texts = items.flatMap((_, first) =>
    Array.from({ length: MOST_PARTS }, (_, more) => items.slice(first, first + more + 1).join(COMMA)),
  );
  return [...new Set(texts)].sort();
}

const timeZonesByWord: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...[...TIME_ZONE_GROUPS].map(([group, zones]) => [group.toLowerCase(), [...zones].sort()] as const),
  ...TIME_ZONES.map((zone) => [zone.toLowerCase(), [zone]] as const),
]);

function timeZonesFrom(filter: Filter, text: string): readonly string[] {
  const zones = timeZonesByWord.get(text.trim().toLowerCase());
  if (zones === undefined) throw wrongValue(filter, text);
  return zones;
}

const MINIMUM_OF: Partial<Record<Filter["match"], Filter["match"]>> = {
  at_most: "at_least",
  days_at_most: "days_at_least",
};

function requireRange(
  raw: RawFilters,
  asked: readonly AskedFilter[],
  { filter: maximum, value }: AskedFilter,
): void {
  const minimum = asked.find(
    ({ filter }) => filter.column === maximum.column && filter.match === MINIMUM_OF[maximum.match],
  );
  if (minimum === undefined || minimum.value <= value) return;
  const shown = ({ name }: Filter) => `${name} (${raw.get(name)})`;
  throw invalid(
    `${shown(minimum.filter)} is above ${shown(maximum)}. Allowed is a minimum up to the maximum.`,
  );
}

/** The problem of the first error that Ajv found. */
function refusalOf(
  feed: Feed,
  raw: RawFilters,
  { instancePath, params }: ErrorObject,
  operation: FilteredOperation,
): ProblemError {
  if (params.additionalProperty !== undefined) return notAllowed(feed, params.additionalProperty, operation);
  const [name = "", index] = instancePath.split("/").slice(1);
  const filter = filterOf(name as FilterName);
  const texts = raw.get(name) ?? [];
  if (filter.schema.type === "array") return wrongList(filter, itemsOf(texts), index);
  if (texts.length > 1) return invalid(`${name} is given ${texts.length} times. Allowed is one value.`);
  const [text = ""] = texts;
  if (text === "") return invalid(`${name} is empty. Allowed is one value, or to leave it out.`);
  return wrongValue(filter, text);
}

/** The problem of a list: of the item at the index, or of their number. */
function wrongList(filter: Filter, items: readonly string[], index: string | undefined): ProblemError {
  const [, allowed] = rulesOf(filter);
  const item = index === undefined ? undefined : (items[Number(index)] ?? "");
  if (item !== undefined && item.trim() !== "") return wrongValue(filter, item);
  const mistake = item === undefined ? `${items.length} items` : "an empty item";
  return invalid(`${filter.name} has ${mistake}. Allowed are ${allowed}.`);
}

function notAllowed(feed: Feed, name: string, operation: FilteredOperation): ProblemError {
  const target = operation.startsWith("exportFeed") ? `the export of ${feed.code}` : feed.code;
  const filters = feed.allowedFilters.join(", ");
  // A filter of other feeds. A tool of MCP refuses any other unknown name itself, and lacks some of the parameters below.
  if (filtersByName.has(name)) {
    return invalid(`${echo(name)} is not allowed on ${target}. Allowed filters are ${filters}.`);
  }
  const others = operationTable[operation].parameters.filter((each) => each.in === "query" && !each.isFilter);
  const allowed = [filters, ...others.map((each) => each.name)].join(", ");
  return invalid(`${echo(name)} is not allowed on ${target}. Allowed are ${allowed}.`);
}

function wrongValue(filter: Filter, text: string): ProblemError {
  const [not, allowed] = rulesOf(filter);
  const codes = filter.column === "state" ? `: ${STATE_CODES.join(", ")}` : "";
  return invalid(`${filter.name}: ${echo(text)} is not ${not}. Allowed are ${allowed}${codes}.`);
}

/** What a wrong value of the filter is not, and what is allowed. */
function rulesOf({ column, schema }: Filter): [not: string, allowed: string] {
  const { type, format, minimum, maximum, minLength, maxLength, maxItems, enum: words } = schema;
  const several = `separated by commas, at most ${maxItems}`;
  if (column === "state") return ["a US state code", `two-letter US state codes ${several}`];
  if (column === "time_zone")
    return ["a US time zone", [...TIME_ZONE_GROUPS.keys(), ...TIME_ZONES].join(", ")];
  if (type === "array") {
    const items = schema.items?.enum?.join(", ") ?? `names of at most ${schema.items?.maxLength} characters`;
    return ["valid", `${items}; several are ${several}`];
  }
  if (type === "boolean") return ["valid", [...TRUTHS.keys()].join(", ")];
  if (type === "integer") return ["valid", `whole numbers from ${minimum} to ${maximum}`];
  if (format === "date") return ["a date", "dates as YYYY-MM-DD"];
  return ["valid", words?.join(", ") ?? `${minLength} to ${maxLength} characters of the text to find`];
}

const invalid = (detail: string): ProblemError => new ProblemError("invalid_filter", detail);

const MAX_ECHO_CHARACTERS = 64;

/** The text as sent, in quotes, cut to fit in a sentence. */
export const echo = (text: string): string =>
  JSON.stringify(text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}…` : text);
