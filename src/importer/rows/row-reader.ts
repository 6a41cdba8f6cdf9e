import type { CopyLines } from "../copy-lines.ts";
import { repair, type Tally } from "../tally.ts";

/** Writes the cells of one record's row; false when the row is left out. */
export type RowReader = (line: CopyLines) => boolean;

/** Makes the reader of one file: `at` gives a used column's place in its records, `today` is YYYY-MM-DD. */
export type RowReaderOf = (
  at: (column: string) => number,
  options: { today: string; tally: Tally; isDifference: boolean },
) => RowReader;

/** Writes a date; a corrupt one becomes null and is counted. */
export function dateCell(line: CopyLines, place: number, latest: string, tally: Tally): void {
  if (!line.date(place, latest)) repair(tally, "corrupt date");
}

/** The same answers again for the few hundred wordings that fill a file of millions of rows. */
export function remembered<T>(answer: (wording: string) => T): (wording: string) => T {
  const known = new Map<string, T>();
  return (wording) => {
    const before = known.get(wording);
    if (before !== undefined) return before;
    const now = answer(wording);
    // A file of nothing but different wordings must not fill the memory.
    if (known.size < 10_000) known.set(ownCopy(wording), now);
    return now;
  };
}

/** A field is a part of its block of the file, all of which it would keep in memory. */
const ownCopy = (text: string): string => Buffer.from(text).toString();
