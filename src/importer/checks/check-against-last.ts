import type { Dataset } from "../../registry/datasets.ts";
import { officialColumn, titleOf } from "../official/official-files.ts";
import type { Profile } from "../stage/staged-set.ts";
import { type Complaint, percent, ROWS_WITH_SHARES } from "./complaint.ts";

// Limits for the difference from the last good file. An operator's `--accept` overrides them.
const LEAST_OF_LAST = 0.9;
// The registry cleans up policies at times: both real files once shrank by a third in a day.
const LEAST_OF_LAST_IN: Partial<Record<Dataset, number>> = { motus_insur: 0.5, motus_inshist: 0.5 };
const LEAST_OF_LAST_IN_STATE = 0.75;
const STATE_ROWS_THAT_COUNT = 500;
const MOST_FILL_LOST = 0.02;
const MOST_FILL_LOST_OF_FEW = 0.05;
/** Maximum change of a meaning's share of the rows. */
const MOST_MEANING_MOVED = 0.1;
const MOST_OF_LAST = 1.5;
const ROWS_THAT_CAN_GROW_TOO_FAST = 1000;
const ROWS_WITH_STEADY_SHARES = 1000;
/** Tolerance for shares that were rounded to twelve digits. */
const ROUNDING = 1e-9;

/** Complains about differences between a dataset's staged rows and its last good import. */
export function complaintsAgainstLast(dataset: Dataset, before: Profile, now: Profile): Complaint[] {
  const complaints: Complaint[] = [];
  const title = titleOf(dataset);
  const rows = `${now.rows} rows after ${before.rows}`;
  const least = LEAST_OF_LAST_IN[dataset] ?? LEAST_OF_LAST;
  if (now.rows < before.rows * least) {
    complaints.push(["shrinkage", `${title} shrank by more than ${Math.round(100 - least * 100)}%: ${rows}`]);
  }
  if (now.rows > before.rows * MOST_OF_LAST && now.rows > ROWS_THAT_CAN_GROW_TOO_FAST) {
    complaints.push(["growth", `${title} grew by more than 50%: ${rows}`]);
  }
  for (const [state, count] of Object.entries(before.byState)) {
    const countNow = now.byState[state] ?? 0;
    if (count <= STATE_ROWS_THAT_COUNT || countNow >= count * LEAST_OF_LAST_IN_STATE) continue;
    const sentence = `${title} lost more than 25% of the rows of ${state}: ${countNow} after ${count}`;
    complaints.push(["state-shrinkage", sentence]);
  }
  if (before.rows < ROWS_WITH_SHARES) return complaints;
  complaints.push(...meaningComplaints(dataset, before, now));
  const mostLost = before.rows < ROWS_WITH_STEADY_SHARES ? MOST_FILL_LOST_OF_FEW : MOST_FILL_LOST;
  for (const [column, share] of Object.entries(before.filledShare)) {
    const shareNow = now.filledShare[column] ?? 0;
    if (share - shareNow <= mostLost + ROUNDING) continue;
    const official = officialColumn(dataset, column);
    const sentence = `${title} is filled in ${percent(shareNow)} of rows in column ${official}, after ${percent(share)}`;
    complaints.push(["fill-rate", sentence]);
  }
  return complaints;
}

/** Complains when far more or fewer rows than before have one of a column's meanings. */
function meaningComplaints(dataset: Dataset, before: Profile, now: Profile): Complaint[] {
  const share = (rows: number | undefined, of: Profile) => (rows ?? 0) / Math.max(of.rowsRead ?? of.rows, 1);
  return Object.entries(before.meanings ?? {}).flatMap(([column, counts]) =>
    Object.keys({ ...counts, ...now.meanings?.[column] }).flatMap((meaning): Complaint[] => {
      const [shareBefore, shareNow] = [
        share(counts[meaning], before),
        share(now.meanings?.[column]?.[meaning], now),
      ];
      if (Math.abs(shareNow - shareBefore) <= MOST_MEANING_MOVED) return [];
      const sentence =
        `${titleOf(dataset)} says ${meaning} in ${percent(shareNow)} of rows in column ${column}, ` +
        `after ${percent(shareBefore)}`;
      return [[`value-share:${dataset}.${column}`, sentence]];
    }),
  );
}
