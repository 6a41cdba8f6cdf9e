import { type Dataset, isLegacy, LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { cleanText, type DateForm, IMPOSSIBLE_DATE, UNREADABLE_DATE } from "../../registry/registry-text.ts";
import { type Field, fieldOf } from "./official-file.ts";
import { repair } from "./tally.ts";

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
const YEARS_AHEAD = 2;

/** The documented form of a dataset's dates. */
export function documentedForm(dataset: Dataset): DateForm {
  if (dataset === "oos_order") return "ISO";
  return isLegacy(dataset) ? "MM/DD/YYYY" : "YYYYMMDD";
}

/** The latest valid day of a column, in a file that is read for a day. */
type LatestDay = (today: string) => string;

export const upToToday: LatestDay = (today) => today;

/** Later years are typing mistakes: 2517 occurs. */
export const twoYearsAhead: LatestDay = (today) =>
  `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4)}`;

export const whenFrozen: LatestDay = () => LEGACY_FROZEN_ON;

export const twoYearsAfterFrozen: LatestDay = () => twoYearsAhead(LEGACY_FROZEN_ON);

/** A day. An invalid one, or one after the latest, becomes null and is counted. */
export const day = (column: `${string}_DATE`, latestOf: LatestDay): Field =>
  fieldOf(column, (index, { dataset, dates, tally, today }) => {
    const latest = latestOf(today);
    const documented = documentedForm(dataset);
    const odd: OddDates = { filled: 0, otherForm: 0, examples: [] };
    dates[column] = odd;
    return (line) => {
      const form = line.date(index, latest);
      if (form === null) return;
      odd.filled += 1;
      if (form === documented) return;
      if (form === UNREADABLE_DATE || form === IMPOSSIBLE_DATE) repair(tally, "corrupt date");
      // A mistyped year does not count as another form.
      if (form !== IMPOSSIBLE_DATE) addOddDate(odd, line.field(index));
    };
  });

function addOddDate(odd: OddDates, raw: string): void {
  odd.otherForm += 1;
  const example = (cleanText(raw) ?? "").slice(0, LONGEST_EXAMPLE);
  if (odd.examples.length < MOST_EXAMPLES && !odd.examples.includes(example)) odd.examples.push(example);
}
