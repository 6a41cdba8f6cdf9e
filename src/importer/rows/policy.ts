import { cleanCapitals, cleanText } from "../../registry/registry-text.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import { repair, type Tally } from "../tally.ts";

const THOUSANDS = 1000;
const AMOUNT = /^\d+(\.\d+)?(E[+-]?\d{1,3})?$/i;
/** No coverage comes near this: what is larger is a typing mistake. */
const LARGEST_DOLLARS = 1e12;

/** An amount in dollars, written `750000`, `750000.000000` or `0E-18`; one that is no number becomes null and is counted. */
export function dollarsCell(line: CopyLines, place: number, tally: Tally, unit = 1): void {
  const text = cleanText(line.field(place));
  const dollars = text !== null && AMOUNT.test(text) ? Number(text) * unit : Number.NaN;
  const isReadable = dollars <= LARGEST_DOLLARS;
  if (text !== null && !isReadable) repair(tally, "unreadable amount");
  line.cell(isReadable ? dollars : null);
}

/** An amount that the legacy registry writes in thousands of dollars, padded (`00750`) or not, in dollars. */
export const thousandsCell = (line: CopyLines, place: number, tally: Tally): void =>
  dollarsCell(line, place, tally, THOUSANDS);

/**
 * A policy's number as it is written, and what it is compared by: its letters and digits, since files differ in blanks
 * and dashes (`MRV 3254703-17`). Two cells.
 */
export function policyCells(line: CopyLines, place: number): void {
  const policyNo = cleanText(line.field(place));
  line.cell(policyNo);
  line.cell((policyNo ?? "").toUpperCase().replace(/[^A-Z0-9]/g, ""));
}

/** Motus' code of an insurance type by the legacy registry's words: 1 BIPD, 2 cargo, 3 bond, 4 trust fund. */
export function insuranceTypeCode(wording: string): string | null {
  const words = cleanCapitals(wording) ?? "";
  if (words.startsWith("BIPD")) return "1";
  if (words.startsWith("CARGO")) return "2";
  if (words.startsWith("SURETY") || words.startsWith("BOND")) return "3";
  return words.startsWith("TRUST") ? "4" : null;
}

// A field that says nothing: blank, or zeros in any of the forms that amounts and dates have.
const NOTHING = /^\s*(0[\s0./]*(E-?\d+)?)?\s*$/i;

/** Whether the registry left every one of these fields blank or zero. */
export const saysNothing = (fields: readonly (string | undefined)[]): boolean =>
  fields.every((field) => NOTHING.test(field ?? ""));
