import { cleanCapitals, cleanText } from "../../registry/registry-text.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import { repair, type Tally } from "../tally.ts";

const THOUSANDS = 1000;
const AMOUNT = /^\d+(\.\d+)?(E[+-]?\d{1,3})?$/i;
/** Far above any real coverage: larger amounts are typing mistakes. */
const LARGEST_DOLLARS = 1e12;

/** An amount in dollars, such as `750000`, `750000.000000` or `0E-18`. An invalid one becomes null and is counted. */
export function dollarsCell(line: CopyLines, index: number, tally: Tally, unit = 1): void {
  const text = cleanText(line.field(index));
  const dollars = text !== null && AMOUNT.test(text) ? Number(text) * unit : Number.NaN;
  const isReadable = dollars <= LARGEST_DOLLARS;
  if (text !== null && !isReadable) repair(tally, "unreadable amount");
  line.cell(isReadable ? dollars : null);
}

/** Dollars from the legacy registry's thousands of dollars, zero-padded (`00750`) or not. */
export const thousandsCell = (line: CopyLines, index: number, tally: Tally): void =>
  dollarsCell(line, index, tally, THOUSANDS);

/**
 * Two cells: a policy's number as written, and its key of letters and digits for comparisons. Files differ in blanks and
 * dashes (`MRV 3254703-17`).
 */
export function policyCells(line: CopyLines, index: number): void {
  const policyNo = cleanText(line.field(index));
  line.cell(policyNo);
  line.cell((policyNo ?? "").toUpperCase().replace(/[^A-Z0-9]/g, ""));
}

/** The Motus code for the legacy registry's name of an insurance type: 1 BIPD, 2 cargo, 3 bond, 4 trust fund. */
export function insuranceTypeCode(wording: string): string | null {
  const words = cleanCapitals(wording) ?? "";
  if (words.startsWith("BIPD")) return "1";
  if (words.startsWith("CARGO")) return "2";
  if (words.startsWith("SURETY") || words.startsWith("BOND")) return "3";
  return words.startsWith("TRUST") ? "4" : null;
}

// An empty field: blank, or zeros in any form of amounts and dates.
const NOTHING = /^\s*(0[\s0./]*(E-?\d+)?)?\s*$/i;

/** Whether the registry left every one of these fields blank or zero. */
export const areEmpty = (fields: readonly (string | undefined)[]): boolean =>
  fields.every((field) => NOTHING.test(field ?? ""));
