/** How many rows were left out, and how many values of kept rows were corrected or dropped, by reason. */
export interface Tally {
  rejected: Record<string, number>;
  repaired: Record<string, number>;
}

/** Counts a row that is left out. Returns false, the result of a row reader for such a row. */
export function reject(tally: Tally, reason: string): false {
  tally.rejected[reason] = (tally.rejected[reason] ?? 0) + 1;
  return false;
}

/** Counts a value that was corrected or dropped in a row that is kept. */
export function repair(tally: Tally, reason: string, count = 1): void {
  tally.repaired[reason] = (tally.repaired[reason] ?? 0) + count;
}

/** Values of the registry are far shorter. PostgreSQL has no index of words and policies that are much longer. */
export const MOST_FIELD_BYTES = 1000;

/** Reasons that checks use. */
export const REASONS = {
  noUsdot: "no USDOT number",
  usdotRepeated: "USDOT number repeated",
  noStatus: "no status",
  unknownStatus: "unknown status",
  columns: "wrong number of columns",
  tooLong: `value of more than ${MOST_FIELD_BYTES} bytes`,
  shifted: "shifted columns",
  nothingButKey: "nothing but its key",
  noDocket: "without a docket, kept by USDOT number",
} as const;
