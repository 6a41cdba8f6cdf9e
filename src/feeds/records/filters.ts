import { operationTable } from "../../generated/operations.ts";
import { dayNumber } from "../../platform/clock.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import type { Feed, FilterName } from "../catalogue.ts";
import { ENTITY_TYPES, PHONE_TYPES, TIME_ZONE_GROUPS, TIME_ZONES } from "../codes.ts";

/** Filter parameters and unknown ones as sent, decoded; repeated ones in their order. */
export type RawFilters = ReadonlyMap<string, readonly string[]>;

/** From and to, both included; null means open. */
export interface Range {
  min: number | null;
  max: number | null;
}

/** The operations that take filters. */
export type FilteredOperation = "readRecords" | "exportFeed";

/** What is asked of the records, checked; null where nothing is. Lists are sorted and without repetition. */
export interface Filter {
  states: readonly string[] | null;
  trucks: Range;
  /** A YYYY-MM-DD day. */
  grantedSince: string | null;
  daysInBusiness: Range;
  generalFreight: boolean | null;
  hasCell: boolean | null;
  /** IANA names. */
  timeZones: readonly string[] | null;
  phoneType: string | null;
  entityType: string | null;
}

const MAX_INTEGER = 2_147_483_647;
const MAX_LIST_ITEMS = 100;
const MAX_ECHO_CHARACTERS = 64;

/**
 * The filter that the parameters ask for. ProblemError invalid_filter, naming the parameter, what is wrong and what is
 * allowed, for a filter the feed does not have, a parameter nobody knows, or a value that is not valid.
 */
export function parseFilters(feed: Feed, raw: RawFilters, operation: FilteredOperation): Filter {
  for (const name of raw.keys()) requireAllowed(feed, name, operation);
  const of = (name: FilterName) => ({ name, values: raw.get(name) ?? [] });
  return {
    states: statesFrom(of("state")),
    trucks: rangeFrom(of("trucks_min"), of("trucks_max")),
    grantedSince: dateFrom(of("granted_since")),
    daysInBusiness: rangeFrom(of("min_days_in_business"), of("max_days_in_business")),
    generalFreight: booleanFrom(of("general_freight")),
    hasCell: booleanFrom(of("has_cell")),
    timeZones: timeZonesFrom(of("time_zone")),
    phoneType: wordFrom(of("phone_type"), PHONE_TYPES),
    entityType: wordFrom(of("entity_type"), ENTITY_TYPES),
  };
}

interface Sent {
  name: FilterName;
  values: readonly string[];
}

function requireAllowed(feed: Feed, name: string, operation: FilteredOperation): void {
  if (feed.allowedFilters.some((allowed) => allowed === name)) return;
  const place = operation === "exportFeed" ? `the export of ${feed.code}` : feed.code;
  const others = operationTable[operation].parameters.filter((each) => each.in === "query" && !each.isFilter);
  const allowed = [...feed.allowedFilters, ...others.map((each) => each.name)].join(", ");
  throw invalid(`${echo(name)} is not allowed on ${place}. Allowed are ${allowed}.`);
}

function statesFrom({ name, values }: Sent): readonly string[] | null {
  if (values.length === 0) return null;
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

function rangeFrom(from: Sent, to: Sent): Range {
  const [min, max] = [integerFrom(from), integerFrom(to)];
  if (min !== null && max !== null && min > max) {
    throw invalid(
      `${from.name} (${min}) is above ${to.name} (${max}). Allowed is a minimum up to the maximum.`,
    );
  }
  return { min, max };
}

function integerFrom(sent: Sent): number | null {
  const text = singleFrom(sent);
  if (text === null) return null;
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER) return Number(text);
  throw invalid(
    `${sent.name}: ${echo(text)} is not valid. Allowed are whole numbers from 0 to ${MAX_INTEGER}.`,
  );
}

function dateFrom(sent: Sent): string | null {
  const text = singleFrom(sent);
  if (text === null) return null;
  if (isDate(text)) return text;
  throw invalid(`${sent.name}: ${echo(text)} is not a date. Allowed are dates as YYYY-MM-DD.`);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const days = dayNumber(text);
  // 31 February is read as a day of March.
  return Number.isInteger(days) && new Date(days * 86_400_000).toISOString().startsWith(text);
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
  ["1", true],
  ["0", false],
]);

function booleanFrom(sent: Sent): boolean | null {
  const text = singleFrom(sent);
  if (text === null) return null;
  const truth = TRUTHS.get(text.toLowerCase());
  if (truth === undefined) throw notOneOf(sent.name, text, [...TRUTHS.keys()]);
  return truth;
}

function wordFrom(sent: Sent, words: readonly string[]): string | null {
  const text = singleFrom(sent);
  if (text === null || words.includes(text)) return text;
  throw notOneOf(sent.name, text, words);
}

const notOneOf = (name: FilterName, text: string, words: readonly string[]): ProblemError =>
  invalid(`${name}: ${echo(text)} is not valid. Allowed are ${words.join(", ")}.`);

const timeZonesByWord: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...[...TIME_ZONE_GROUPS].map(([group, zones]) => [group.toLowerCase(), [...zones].sort()] as const),
  ...TIME_ZONES.map((zone) => [zone.toLowerCase(), [zone]] as const),
]);

function timeZonesFrom(sent: Sent): readonly string[] | null {
  const text = singleFrom(sent);
  if (text === null) return null;
  const zones = timeZonesByWord.get(text.trim().toLowerCase());
  if (zones) return zones;
  const allowed = [...TIME_ZONE_GROUPS.keys(), ...TIME_ZONES].join(", ");
  throw invalid(`${sent.name}: ${echo(text)} is not a US time zone. Allowed are ${allowed}.`);
}

/** The one value of a parameter that is not a list. */
function singleFrom({ name, values }: Sent): string | null {
  if (values.length > 1) throw invalid(`${name} is given ${values.length} times. Allowed is one value.`);
  const text = values[0];
  if (text === "") throw invalid(`${name} is empty. Allowed is one value, or to leave it out.`);
  return text ?? null;
}

const invalid = (detail: string): ProblemError => new ProblemError("invalid_filter", detail);

/** What was sent, in quotes and no longer than a sentence bears. */
const echo = (text: string): string =>
  JSON.stringify(text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}…` : text);
