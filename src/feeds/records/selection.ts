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
  /** A text that is one of these, in any case. */
  | { kind: "texts"; column: PackedName; texts: readonly string[] }
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
    ...[...byColumn].flatMap(([column, filters]) => conditionsOf(feed, column, filters, scope.asOf)),
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

/** The conditions of all filters of one column: one, but of text one for each filter. */
function conditionsOf(
  feed: Feed,
  column: PackedName,
  asked: readonly AskedFilter[],
  asOf: string,
): Condition[] {
  const { form } = packedColumns(feed).get(column) ?? {};
  if (form === "text") return asked.flatMap((each) => textCondition(column, each));
  const words = asked[0]?.value;
  if (typeof words !== "object") return [rangeOf(column, asked, dayNumber(asOf))];
  return [form === "bits" ? bits(feed, column, words) : codes(feed, column, words)];
}

function textCondition(column: PackedName, { filter, value }: AskedFilter): Condition[] {
  if (typeof value !== "object") return [];
  return filter.match === "contains"
    ? [{ kind: "contains", column, part: value[0] ?? "" }]
    : [{ kind: "texts", column, texts: value }];
}

/** The range that all filters of a column allow; null where none bounds it. */
function rangeOf(column: PackedName, asked: readonly AskedFilter[], today: number): Condition {
  const numbers = (bounds: Readonly<Record<string, (number: number) => number>>): number[] =>
    asked.flatMap(({ filter: { match }, value }) => bounds[match]?.(Number(value)) ?? []);
  const minima = numbers({ at_least: (number) => number, days_at_most: (days) => today - days });
  const maxima = numbers({
    before: (number) => number - 1,
    at_most: (number) => number,
    days_at_least: (days) => today - days,
  });
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

/** What separates the parts of a text in a condition of the kind "texts". */
export const COMMA = ", ";
/** As many parts may a text have that is asked for in a list: it has two commas then. */
export const MOST_PARTS = 3;

/** A text as such a condition has it: in capitals, with one kind of comma. */
export const textKey = (text: string): string => text.toUpperCase().split(/ *, */).join(COMMA);

/** Whether a text meets a condition on texts. */
export const meetsText = (
  condition: Extract<Condition, { kind: "contains" | "texts" }>,
  text: string,
): boolean =>
  condition.kind === "contains"
    ? text.toUpperCase().includes(condition.part)
    : condition.texts.includes(textKey(text));

const since = (day: string): Condition => ({ kind: "since", columns: SINCE_COLUMNS, day: dayNumber(day) });
