import { type Dataset, isLegacy } from "../../registry/datasets.ts";
import { cleanText, type DateForm, IMPOSSIBLE_DATE, UNREADABLE_DATE } from "../../registry/registry-text.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import { repair, type Tally } from "../tally.ts";

/** Counts of unusual dates in one column. */
export interface OddDates {
  /** Rows with a value in the column. */
  filled: number;
  /** Rows whose date, readable or not, is not in the documented form. */
  otherForm: number;
  /** A few such values. */
  examples: string[];
}

const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 30;

/** The documented form of a dataset's dates. */
export function documentedForm(dataset: Dataset): DateForm {
  if (dataset === "oos_order") return "ISO";
  return isLegacy(dataset) ? "MM/DD/YYYY" : "YYYYMMDD";
}

/** Reads the date columns of one file and counts unusual dates. */
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

  /** Writes the cell of a date column. An invalid date, or one after `latest`, becomes null and is counted. */
  cell(column: string, latest: string): (line: CopyLines) => void {
    const index = this.#at(column);
    const odd: OddDates = { filled: 0, otherForm: 0, examples: [] };
    this.byColumn[column] = odd;
    return (line) => {
      const form = line.date(index, latest);
      if (form === null) return;
      odd.filled += 1;
      if (form === this.#form) return;
      if (form === UNREADABLE_DATE || form === IMPOSSIBLE_DATE) repair(this.#tally, "corrupt date");
      // A mistyped year does not count as another form.
      if (form === IMPOSSIBLE_DATE) return;
      odd.otherForm += 1;
      const example = (cleanText(line.field(index)) ?? "").slice(0, LONGEST_EXAMPLE);
      if (odd.examples.length < MOST_EXAMPLES && !odd.examples.includes(example)) odd.examples.push(example);
    };
  }
}
