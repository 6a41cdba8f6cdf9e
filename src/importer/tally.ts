/** By reason, the rows of a file that were left out, and the values that were changed or dropped in other rows. */
export interface Tally {
  rejected: Record<string, number>;
  repaired: Record<string, number>;
}

/** Counts a row that is left out; returns false, as a row reader does for such a row. */
export function reject(tally: Tally, reason: string): false {
  tally.rejected[reason] = (tally.rejected[reason] ?? 0) + 1;
  return false;
}

/** Counts a value that was changed or dropped in a row that is not left out. */
export function repair(tally: Tally, reason: string, count = 1): void {
  tally.repaired[reason] = (tally.repaired[reason] ?? 0) + count;
}

/** Reasons that checks use. */
export const REASONS = {
  usdotRepeated: "USDOT number repeated",
  noStatus: "no status",
  unknownStatus: "unknown status",
  nothingButKey: "nothing but its key",
  noDocket: "without a docket, kept by USDOT number",
} as const;
