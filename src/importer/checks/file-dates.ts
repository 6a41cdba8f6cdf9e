import { type Dataset, isFrozen } from "../../registry/datasets.ts";
import { cleanText, type DateForm, IMPOSSIBLE_DATE, UNREADABLE_DATE } from "../../registry/registry-text.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import { repair, type Tally } from "../tally.ts";

/** What is odd about the dates of one column. */
export interface OddDates {
  /** Rows in which the column is filled. */
  filled: number;
  /** Rows whose date is not in the form that the registry documents, readable or not. */
  otherForm: number;
  /** A few of those. */
  examples: string[];
}

const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 30;

/** The form of a dataset's dates as the registry documents it. */
export const documentedForm = (dataset: Dataset): DateForm => (isFrozen(dataset) ? "MM/DD/YYYY" : "YYYYMMDD");

/** Reads the date columns of one file and counts what is odd in them. */
export class FileDates {
  readonly byColumn: Record<string, OddDates> = {};
  readonly #form: DateForm;
  readonly #at: (column: string) => number;
  readonly #tally: Tally;

  constructor(dataset: Dataset, at: (column: string) => number, tally: Tally) {
    this.#form = documentedForm(dataset);
    this.#at = at;
    this.#tally = tally;
  }

  /** Writes the cell of a date column; a date that is none, or later than `latest`, becomes null and is counted. */
  cell(column: string, latest: string): (line: CopyLines) => void {
    const place = this.#at(column);
    const odd: OddDates = { filled: 0, otherForm: 0, examples: [] };
    this.byColumn[column] = odd;
    return (line) => {
      const form = line.date(place, latest);
      if (form === null) return;
      odd.filled += 1;
      if (form === this.#form) return;
      if (form === UNREADABLE_DATE || form === IMPOSSIBLE_DATE) repair(this.#tally, "corrupt date");
      // A mistyped year is no other form.
      if (form === IMPOSSIBLE_DATE) return;
      odd.otherForm += 1;
      const example = (cleanText(line.field(place)) ?? "").slice(0, LONGEST_EXAMPLE);
      if (odd.examples.length < MOST_EXAMPLES && !odd.examples.includes(example)) odd.examples.push(example);
    };
  }
}
