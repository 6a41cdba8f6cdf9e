import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Dataset } from "../datasets.ts";
import { cleanText } from "../registry-text.ts";
import type { CodedColumn } from "./vocabularies.ts";

interface Senses {
  amounts: Record<CodedColumn, { least: number; most: number }>;
  column_jumps: {
    fewest_rows: number;
    fewest_rows_of_still: number;
    fewest_new_rows: number;
    least_share: number;
    times_median: number;
    imports: number;
    fewest_imports: number;
    daily_share: number;
    most_share: number;
    datasets: Partial<Record<Dataset, { key: string[]; wordings?: string[] }>>;
  };
}

const senses = parse(readFileSync(new URL("senses.yaml", import.meta.url), "utf8")) as Senses;

/** How much of a column may change between two imports (senses.yaml). */
export const COLUMN_JUMPS = senses.column_jumps;

export const UNREADABLE = "unreadable";
export const OTHER_UNIT = "other unit";

// Groups of three digits, or none. `750.000` is read as 750 dollars, which no column has.
const AMOUNT = /^\$? ?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:E[+-]?\d{1,3})?$/i;

/** The dollars in a field, which counts in units of so many dollars; null for a blank one. */
export function readAmount(
  raw: string,
  column: CodedColumn,
  unit: number,
): number | typeof UNREADABLE | typeof OTHER_UNIT | null {
  const text = cleanText(raw);
  if (text === null) return null;
  if (!AMOUNT.test(text) || /E[+]?\d{2}/i.test(text)) return UNREADABLE;
  // Less than a cent is nothing: the registry writes zero as `0E-18`.
  const dollars = Math.round(Number(text.replace(/[$, ]/g, "")) * unit * 100) / 100;
  const { least = 0, most = Number.POSITIVE_INFINITY } = senses.amounts[column] ?? {};
  if (dollars === 0) return 0;
  return dollars < least || dollars > most ? OTHER_UNIT : dollars;
}
