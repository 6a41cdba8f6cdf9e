import { dayNumber } from "../../platform/clock.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import { ENTITY_TYPES, PHONE_TYPES, TIME_ZONES } from "../codes.ts";
import type { PackedColumn } from "../versions/column-arrays.ts";
import type { Filter, Range } from "./filters.ts";

/** Something a row's packed columns must hold; null in a row never does. */
export type Condition =
  | { kind: "codes"; column: PackedColumn; codes: readonly number[] }
  | { kind: "range"; column: PackedColumn; min: number | null; max: number | null }
  /** At least one of the two dates is the day or later. */
  | { kind: "since"; columns: readonly [PackedColumn, PackedColumn]; day: number };

/** Which records of a version an answer draws from. */
export interface Selection {
  /** The states in effect after plan and filter; null when neither limits them. */
  regions: readonly string[] | null;
  conditions: readonly Condition[];
  /** The same for the same conditions, different for different ones. */
  key: string;
}

/**
 * Turns a filter, the plan's regions and `since` into conditions on columns. Days in business become grant dates, so
 * that the same dates asked for in either way are one selection.
 */
export function selectionOf(
  filter: Filter,
  scope: { asOf: string; planRegions: readonly string[] | null; since: string | undefined },
): Selection {
  const regions = effectiveRegions(scope.planRegions, filter.states);
  const conditions = [
    codes("state", STATE_CODES, regions),
    range("power_units", filter.trucks),
    range("authority_granted", grantedRange(filter, scope.asOf)),
    codes("general_freight", ["false", "true"], wordList(filter.generalFreight)),
    codes("has_cell", ["false", "true"], wordList(filter.hasCell)),
    codes("time_zone", TIME_ZONES, filter.timeZones),
    codes("phone_type", PHONE_TYPES, wordList(filter.phoneType)),
    codes("entity_type", ENTITY_TYPES, wordList(filter.entityType)),
    since(scope.since),
  ].filter((condition) => condition !== null);
  return { regions, conditions, key: JSON.stringify(conditions) };
}

function effectiveRegions(
  plan: readonly string[] | null,
  asked: readonly string[] | null,
): readonly string[] | null {
  if (plan === null) return asked;
  const allowed = [...new Set(plan)].sort();
  return asked === null ? allowed : allowed.filter((state) => asked.includes(state));
}

function grantedRange({ grantedSince, daysInBusiness }: Filter, asOf: string): Range {
  const today = dayNumber(asOf);
  const earliest = [
    ...(grantedSince === null ? [] : [dayNumber(grantedSince)]),
    ...(daysInBusiness.max === null ? [] : [today - daysInBusiness.max]),
  ];
  return {
    min: earliest.length === 0 ? null : Math.max(...earliest),
    max: daysInBusiness.min === null ? null : today - daysInBusiness.min,
  };
}

const wordList = (word: string | boolean | null): readonly string[] | null =>
  word === null ? null : [String(word)];

function codes(
  column: PackedColumn,
  list: readonly string[],
  words: readonly string[] | null,
): Condition | null {
  if (words === null) return null;
  const places = words.map((word) => list.indexOf(word)).filter((place) => place >= 0);
  return { kind: "codes", column, codes: places.sort((a, b) => a - b) };
}

const range = (column: PackedColumn, { min, max }: Range): Condition | null =>
  min === null && max === null ? null : { kind: "range", column, min, max };

const since = (day: string | undefined): Condition | null =>
  day === undefined
    ? null
    : { kind: "since", columns: ["authority_granted", "last_verified"], day: dayNumber(day) };
