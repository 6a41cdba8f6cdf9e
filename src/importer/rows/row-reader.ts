import { hash } from "node:crypto";
import { CORRUPT_DATE, readDate } from "../../carriers/registry-text.ts";
import { repair, type Tally } from "../tally.ts";

/** Turns one record of a file into its line for COPY, line end included; null when the row is left out. */
export type RowReader = (record: readonly string[]) => string | null;

/** Makes the reader of one file: `at` gives a used column's place in its records, `today` is YYYY-MM-DD. */
export type RowReaderOf = (
  at: (column: string) => number,
  options: { today: string; tally: Tally; isDifference: boolean },
) => RowReader;

/** A value in COPY's text format. Texts come without control characters, so only the backslash needs care. */
export function cell(value: string | number | null): string {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(value);
  return value.includes("\\") ? value.replaceAll("\\", "\\\\") : value;
}

/** A boolean in COPY's text format: `Y` and `X` are yes, all else is no. */
export const flag = (raw: string | undefined): string => {
  const text = raw?.trim();
  return text === "Y" || text === "X" || text === "y" || text === "x" ? "t" : "f";
};

/** The line of a row without a key of its own: what it says is what it is, so its id is the MD5 of its cells. */
export const hashedLine = (cells: string): string => `${hash("md5", cells)}\t${cells}\n`;

/** A date cell; a corrupt date becomes null and is counted. */
export function dateCell(raw: string | undefined, latest: string, tally: Tally): string {
  const date = readDate(raw, latest);
  if (date === null) return "\\N";
  if (date !== CORRUPT_DATE) return date;
  repair(tally, "corrupt date");
  return "\\N";
}

/** The same answers again for the few hundred wordings that fill a file of millions of rows. */
export function remembered<T>(answer: (wording: string) => T): (wording: string) => T {
  const known = new Map<string, T>();
  return (wording) => {
    const before = known.get(wording);
    if (before !== undefined) return before;
    const now = answer(wording);
    // A file of nothing but different wordings must not fill the memory.
    if (known.size < 10_000) known.set(wording, now);
    return now;
  };
}
