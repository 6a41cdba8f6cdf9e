import { operationTable } from "../../generated/operations.ts";
import { dayNumber, isDay } from "../../platform/clock.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import { cleanCapitals } from "../../registry/registry-text.ts";
import { type Feed, type Filter, type FilterName, filterOf } from "../catalogue.ts";
import { TIME_ZONE_GROUPS, TIME_ZONES } from "../codes.ts";
import { packedColumns, wordsOf } from "../versions/packed-columns.ts";

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
  /** Sorted distinct words of the filter's column, or one text in capitals; or a count, or days since 1970-01-01. */
  value: readonly string[] | number;
}

const MAX_INTEGER = 2_147_483_647;
const MAX_LIST_ITEMS = 100;
const MAX_ECHO_CHARACTERS = 64;

/**
 * The filters that the parameters ask for, in the order of the contract. ProblemError invalid_filter for an unknown
 * parameter, a filter that the feed does not have, or a value that is not valid. It names the parameter and what is
 * allowed.
 */
export function parseFilters(feed: Feed, raw: RawFilters, operation: FilteredOperation): AskedFilter[] {
  for (const name of raw.keys()) requireAllowed(feed, name, operation);
  const asked: AskedFilter[] = [];
  for (const name of feed.allowedFilters) {
    const values = raw.get(name);
    if (values === undefined || values.length === 0) continue;
    const filter = filterOf(name);
    const value = valueFrom(feed, filter, values);
    if (value === null) continue;
    requireRange(raw, asked, { filter, value });
    asked.push({ filter, value });
  }
  return asked;
}

interface Sent {
  name: FilterName;
  values: readonly string[];
}

/** A filter's value; null if it asks for every record. */
function valueFrom(
  feed: Feed,
  { name, column, match }: Filter,
  values: readonly string[],
): AskedFilter["value"] | null {
  const sent = { name, values };
  if (match === "not") return booleanFrom(sent) === "true" ? ["false"] : null;
  if (match === "contains") return [textFrom(sent)];
  if (column === "state") return statesFrom(sent);
  if (column === "time_zone") return timeZonesFrom(sent);
  if (match === "days_at_least" || match === "days_at_most") return integerFrom(sent);
  const packed = packedColumns(feed).get(column);
  if (packed?.form === "bits") return wordsFrom(sent, wordsOf(feed, column));
  switch (packed?.type) {
    case "boolean":
      return [booleanFrom(sent)];
    case "date":
      return dateFrom(sent);
    case "integer":
      return integerFrom(sent);
    default:
      return [wordFrom(sent, wordsOf(feed, column))];
  }
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

function requireAllowed(feed: Feed, name: string, operation: FilteredOperation): void {
  if (feed.allowedFilters.some((allowed) => allowed === name)) return;
  const target = operation.startsWith("exportFeed") ? `the export of ${feed.code}` : feed.code;
  const others = operationTable[operation].parameters.filter((each) => each.in === "query" && !each.isFilter);
  const allowed = [...feed.allowedFilters, ...others.map((each) => each.name)].join(", ");
  throw invalid(`${echo(name)} is not allowed on ${target}. Allowed are ${allowed}.`);
}

function statesFrom({ name, values }: Sent): readonly string[] {
  const items = values.flatMap((value) => value.split(","));
  const rule = `Allowed are two-letter US state codes separated by commas, at most ${MAX_LIST_ITEMS}`;
  if (items.length > MAX_LIST_ITEMS) throw invalid(`${name} has ${items.length} items. ${rule}.`);
  const states = items.map((item) => {
    const state = item.trim().toUpperCase();
    if (state === "") throw invalid(`${name} has an empty item. ${rule}.`);
    if (!STATE_CODES.includes(state)) {
      throw invalid(`${name}: ${echo(item)} is not a US state code. ${rule}: ${STATE_CODES.join(", ")}.`);
    }
    return state;
  });
  return [...new Set(states)].sort();
}

function integerFrom(sent: Sent): number {
  const text = singleFrom(sent);
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER) return Number(text);
  throw invalid(
    `${sent.name}: ${echo(text)} is not valid. Allowed are whole numbers from 0 to ${MAX_INTEGER}.`,
  );
}

function dateFrom(sent: Sent): number {
  const text = singleFrom(sent);
  if (isDay(text)) return dayNumber(text);
  throw invalid(`${sent.name}: ${echo(text)} is not a date. Allowed are dates as YYYY-MM-DD.`);
}

const TRUTHS: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["false", "false"],
  ["1", "true"],
  ["0", "false"],
]);

function booleanFrom(sent: Sent): string {
  const text = singleFrom(sent);
  const truth = TRUTHS.get(text.toLowerCase());
  if (truth === undefined) throw notOneOf(sent.name, text, [...TRUTHS.keys()]);
  return truth;
}

function wordFrom(sent: Sent, words: readonly string[]): string {
  const text = singleFrom(sent);
  if (words.includes(text)) return text;
  throw notOneOf(sent.name, text, words);
}

/** One or several of the words, in their order. */
function wordsFrom({ name, values }: Sent, words: readonly string[]): readonly string[] {
  const items = values.flatMap((value) => value.split(",")).map((item) => item.trim().toLowerCase());
  const rule = `Allowed are ${words.join(", ")}; several are separated by commas, at most ${MAX_LIST_ITEMS}`;
  if (items.length > MAX_LIST_ITEMS) throw invalid(`${name} has ${items.length} items. ${rule}.`);
  for (const item of items) {
    if (item === "") throw invalid(`${name} has an empty item. ${rule}.`);
    if (!words.includes(item)) throw invalid(`${name}: ${echo(item)} is not valid. ${rule}.`);
  }
  return words.filter((word) => items.includes(word));
}

const [LEAST_TEXT, MOST_TEXT] = [2, 120];

/** A part of a text, in capitals and with single blanks, as columns have them. */
function textFrom(sent: Sent): string {
  const text = singleFrom(sent);
  const part = cleanCapitals(text) ?? "";
  if (part.length >= LEAST_TEXT && part.length <= MOST_TEXT) return part;
  throw invalid(
    `${sent.name}: ${echo(text)} is not valid. Allowed are ${LEAST_TEXT} to ${MOST_TEXT} characters of the text to find.`,
  );
}

const notOneOf = (name: FilterName, text: string, words: readonly string[]): ProblemError =>
  invalid(`${name}: ${echo(text)} is not valid. Allowed are ${words.join(", ")}.`);

const timeZonesByWord: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...[...TIME_ZONE_GROUPS].map(([group, zones]) => [group.toLowerCase(), [...zones].sort()] as const),
  ...TIME_ZONES.map((zone) => [zone.toLowerCase(), [zone]] as const),
]);

function timeZonesFrom(sent: Sent): readonly string[] {
  const text = singleFrom(sent);
  const zones = timeZonesByWord.get(text.trim().toLowerCase());
  if (zones) return zones;
  const allowed = [...TIME_ZONE_GROUPS.keys(), ...TIME_ZONES].join(", ");
  throw invalid(`${sent.name}: ${echo(text)} is not a US time zone. Allowed are ${allowed}.`);
}

/** The one value of a parameter that is not a list. */
function singleFrom({ name, values }: Sent): string {
  if (values.length > 1) throw invalid(`${name} is given ${values.length} times. Allowed is one value.`);
  const text = values[0] ?? "";
  if (text === "") throw invalid(`${name} is empty. Allowed is one value, or to leave it out.`);
  return text;
}

const invalid = (detail: string): ProblemError => new ProblemError("invalid_filter", detail);

/** The text as sent, in quotes, cut to fit in a sentence. */
export const echo = (text: string): string =>
  JSON.stringify(text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}…` : text);
