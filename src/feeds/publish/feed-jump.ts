import { dayNumber } from "../../platform/clock.ts";
import { shareOf } from "../../platform/plural.ts";
import { columnNames, type Feed, type FeedCode, feedOf } from "../catalogue.ts";
import { removedByRegistry, type VersionChanges } from "./version-changes.ts";

/** How much a feed may change between two versions before an operator has to look at it. */
interface JumpLimits {
  /** Added to MOVED_SHARE for each day between the two as-of days, as a feed of the last weeks replaces its rows. */
  movedSharePerDay: number;
  /** How many times larger or smaller the feed may become; null for no limit. */
  times: number | null;
}

const USUAL: JumpLimits = { movedSharePerDay: 0.05, times: 3 };
const LIMITS: Readonly<Partial<Record<FeedCode, JumpLimits>>> = {
  us_new_authority_weekly: { movedSharePerDay: 0.1, times: 3 },
  us_small_carriers_active: { movedSharePerDay: 0.005, times: null },
  us_revocation_pending: { movedSharePerDay: 0.1, times: 3 },
  us_brokers: { movedSharePerDay: 0.005, times: null },
};
/** Share of the rows that may be added, be removed, or change in one column. */
const MOVED_SHARE = 0.15;
/** A change of fewer rows is no jump, whatever their share. */
const FEWEST_ROWS = 50;
const FEWEST_ROWS_OF_TIMES = 20;

/** A version and the one before it. */
export interface ComparedVersions {
  feed: FeedCode;
  rowsBefore: number;
  rowsAfter: number;
  asOfBefore: string;
  asOf: string;
  changes: VersionChanges;
  /** Whether an older program read the files of the version before, perhaps without some columns. */
  isAfterRebase?: boolean | undefined;
}

/** Sentences about a new version that differs too much from the last one; empty when it does not. */
export function feedJumps(compared: ComparedVersions): string[] {
  const { feed, rowsBefore, rowsAfter, changes, isAfterRebase = false } = compared;
  const { movedSharePerDay, times } = LIMITS[feed] ?? USUAL;
  const days = Math.max(0, dayNumber(compared.asOf) - dayNumber(compared.asOfBefore) - 1);
  const most = Math.max(FEWEST_ROWS, rowsBefore * (MOVED_SHARE + movedSharePerDay * days));
  const share = (rows: number) => shareOf(rows, rowsBefore);
  const removed = removedByRegistry(changes);
  const optional = columnNames(feedOf(feed) as Feed, ({ sources }) => sources.length > 0);
  const jumps: string[] = [];
  if (removed > most) {
    jumps.push(
      `${feed} would lose ${removed} of ${rowsBefore} rows (${share(removed)}): ${reasons(changes)}`,
    );
  }
  if (changes.added.rows > most) {
    jumps.push(
      `${feed} would gain ${changes.added.rows} rows on ${rowsBefore} (${share(changes.added.rows)})`,
    );
  }
  const isFarOff = times !== null && (rowsAfter > rowsBefore * times || rowsAfter * times < rowsBefore);
  if (isFarOff && Math.abs(rowsAfter - rowsBefore) >= FEWEST_ROWS_OF_TIMES) {
    jumps.push(`${feed} would have ${rowsAfter} rows after ${rowsBefore}`);
  }
  for (const [column, { rows: changedRows }] of Object.entries(changes.changed)) {
    // All values of such a column appear when its file first comes, and go when it becomes too old. Those of a column that
    // an older program did not read appear too.
    const rows = isAfterRebase || optional.includes(column) ? (changes.revalued?.[column] ?? 0) : changedRows;
    if (rows <= most) continue;
    jumps.push(
      `${feed} would show another ${column} in ${rows} of ${rowsBefore} rows (${share(rows)})${example(changes, column)}`,
    );
  }
  return jumps;
}

const reasons = ({ removed }: VersionChanges): string =>
  Object.entries(removed)
    .slice(0, 3)
    .map(([rule, { rows }]) => `${rows} ${rule}`)
    .join(", ");

function example({ changed }: VersionChanges, column: string): string {
  const first = changed[column]?.examples[0];
  if (first === undefined) return "";
  if (first.before === undefined && first.after === undefined)
    return `, for example of USDOT number ${first.usdot}`;
  return `, for example ${JSON.stringify(first.after ?? null)} after ${JSON.stringify(first.before ?? null)}`;
}
