import { dayNumber } from "../../platform/clock.ts";
import type { Feed } from "../catalogue.ts";
import { type PackedName, packedColumns, SINCE_COLUMNS, wordsOf } from "../versions/packed-columns.ts";
import type { AskedFilter } from "./filters.ts";

/** A condition on a row's packed columns; a null value never meets it. */
export type Condition =
  | { kind: "codes"; column: PackedName; codes: readonly number[] }
  /** A list with at least one of the items. */
  | { kind: "bits"; column: PackedName; bits: number }
  /** A text that contains the part, in any case. */
  | { kind: "contains"; column: PackedName; part: string }
  | { kind: "range"; column: PackedName; min: number | null; max: number | null }
  /** At least one of the two dates is the day or later. */
  | { kind: "since"; columns: readonly [PackedName, PackedName]; day: number };

/** The records of a version that match a request, before removals. */
export interface Selection {
  /** The states that both plan and filter allow; null when neither limits them. */
  regions: readonly string[] | null;
  conditions: readonly Condition[];
  /** Equal exactly for equal conditions. */
  key: string;
}

/**
 * Turns filters, the plan's regions and `since` into conditions on columns. Days in business become grant dates, so that
 * both ways to ask for the same dates give the same selection.
 */
export function selectionOf(
  feed: Feed,
  asked: readonly AskedFilter[],
  scope: { asOf: string; planRegions: readonly string[] | null; since: string | undefined },
): Selection {
  const regions = effectiveRegions(scope.planRegions, statesOf(asked));
  const byColumn = Map.groupBy(
    asked.filter(({ filter }) => filter.column !== "state"),
    ({ filter }) => filter.column,
  );
  const conditions = [
    ...(regions === null ? [] : [codes(feed, "state", regions)]),
    ...[...byColumn].map(([column, filters]) => conditionOf(feed, column, filters, scope.asOf)),
    ...(scope.since === undefined ? [] : [since(scope.since)]),
  ];
  return { regions, conditions, key: JSON.stringify(conditions) };
}

function statesOf(asked: readonly AskedFilter[]): readonly string[] | null {
  const states = asked.find(({ filter }) => filter.column === "state")?.value;
  return typeof states === "object" ? states : null;
}

function effectiveRegions(
  plan: readonly string[] | null,
  asked: readonly string[] | null,
): readonly string[] | null {
  if (plan === null) return asked;
  const allowed = [...new Set(plan)].sort();
  return asked === null ? allowed : allowed.filter((state) => asked.includes(state));
}

/** The condition of all filters of one column. */
function conditionOf(feed: Feed, column: PackedName, asked: readonly AskedFilter[], asOf: string): Condition {
  const words = asked[0]?.value;
  if (typeof words === "object") {
    const { form } = packedColumns(feed).get(column) ?? {};
    if (form === "text") return { kind: "contains", column, part: words[0] ?? "" };
    return form === "bits" ? bits(feed, column, words) : codes(feed, column, words);
  }
  const today = dayNumber(asOf);
  const minima: number[] = [];
  const maxima: number[] = [];
  for (const { filter, value } of asked) {
    const number = Number(value);
    if (filter.match === "at_least") minima.push(number);
    if (filter.match === "before") maxima.push(number - 1);
    if (filter.match === "at_most") maxima.push(number);
    if (filter.match === "days_at_least") maxima.push(today - number);
    if (filter.match === "days_at_most") minima.push(today - number);
  }
  return {
    kind: "range",
    column,
    min: minima.length === 0 ? null : Math.max(...minima),
    max: maxima.length === 0 ? null : Math.min(...maxima),
  };
}

function codes(feed: Feed, column: PackedName, words: readonly string[]): Condition {
  const list = wordsOf(feed, column);
  const found = words.map((word) => list.indexOf(word)).filter((index) => index >= 0);
  return { kind: "codes", column, codes: found.sort((a, b) => a - b) };
}

function bits(feed: Feed, column: PackedName, words: readonly string[]): Condition {
  const list = wordsOf(feed, column);
  return { kind: "bits", column, bits: words.reduce((sum, word) => sum | (1 << list.indexOf(word)), 0) };
}

/** Whether a text meets a condition of the kind "contains". */
export const containsPart = (text: string, part: string): boolean => text.toUpperCase().includes(part);

const since = (day: string): Condition => ({ kind: "since", columns: SINCE_COLUMNS, day: dayNumber(day) });
