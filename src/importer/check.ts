import { DATASETS, type Dataset } from "../carriers/datasets.ts";
import { listSources } from "../carriers/sources.ts";
import { addDays } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { type Complaint, complaintsAgainstLast, percent, ROWS_WITH_SHARES } from "./check-against-last.ts";
import { LAYOUTS } from "./layouts.ts";
import type { Profile } from "./profile.ts";
import { Refusal } from "./refusal.ts";
import type { StagedFile, StagedSet } from "./stage.ts";
import { REASONS } from "./tally.ts";

export interface CheckOptions {
  /** The day the files are read for, YYYY-MM-DD. */
  today: string;
  /** Whether an operator named that day: only then are the files held to be of that week. */
  isTodayGiven: boolean;
  /** The import replaces what is stored: there is nothing to compare with. */
  startsAnew: boolean;
  /** Names of checks that an operator overrides. */
  accept: ReadonlySet<string>;
}

const MOST_REPEATED_SHARE = 0.05;
const MOST_WITHOUT_STATUS_SHARE = 0.05;
const MOST_LEFT_OUT_SHARE = 0.05;
const NEWEST_WITHIN_DAYS = 7;

/**
 * Compares what is staged with the last good import and with what such files always are. Throws a Refusal for the
 * first check that fails and is not accepted.
 */
export async function checkStaged(context: Context, staged: StagedSet, options: CheckOptions): Promise<void> {
  const sources = options.startsAnew ? [] : await listSources(context);
  const last = new Map(sources.map(({ dataset, profile }) => [dataset, profile as Profile]));
  const complaints = [
    ...missingSources(staged, last),
    ...staged.files.flatMap(rowComplaints),
    ...ageComplaints(staged, last, options),
    ...[...staged.profiles].flatMap(([dataset, now]) => {
      const before = last.get(dataset);
      return before ? complaintsAgainstLast(titleOf(dataset), before, now) : [];
    }),
  ];
  const refused = complaints.find(([checkName]) => !options.accept.has(checkName));
  if (!refused) return;
  const [checkName, sentence] = refused;
  throw new Refusal(`${sentence}; if that is right, import with --accept ${checkName}.`, checkName);
}

function missingSources(staged: StagedSet, last: ReadonlyMap<Dataset, Profile>): Complaint[] {
  const missing = DATASETS.filter((dataset) => !staged.profiles.has(dataset) && !last.has(dataset));
  if (missing.length === 0) return [];
  return [["missing-source", `Not in the folder and never imported: ${missing.map(titleOf).join(", ")}`]];
}

function rowComplaints({ file, rowsRead, kept, rejected, repaired }: StagedFile): Complaint[] {
  const complaints: Complaint[] = [];
  const repeated = rejected[REASONS.usdotRepeated] ?? 0;
  if (repeated > 0 && repeated >= rowsRead * MOST_REPEATED_SHARE) {
    complaints.push([
      "duplicate-usdot",
      `${file} repeats USDOT numbers in ${percent(repeated / rowsRead)} of its rows`,
    ]);
  }
  const { noStatus, unknownStatus } = REASONS;
  const statusRejected = (rejected[noStatus] ?? 0) + (rejected[unknownStatus] ?? 0);
  const withoutStatus = statusRejected + (repaired[noStatus] ?? 0) + (repaired[unknownStatus] ?? 0);
  if (withoutStatus > rowsRead * MOST_WITHOUT_STATUS_SHARE) {
    const share = percent(withoutStatus / rowsRead);
    complaints.push(["status-missing", `${file} has no status, or an unknown one, in ${share} of its rows`]);
  }
  // Repeats and missing statuses have been judged above.
  const leftOut = Object.values(rejected).reduce((sum, count) => sum + count, 0) - repeated - statusRejected;
  if (kept === 0 || (rowsRead >= ROWS_WITH_SHARES && leftOut > rowsRead * MOST_LEFT_OUT_SHARE)) {
    const reasons = Object.entries(rejected).map(([reason, count]) => `${count} ${reason}`);
    complaints.push([
      "rejected-rows",
      `${file} has rows that cannot be read: ${reasons.join(", ")} of ${rowsRead}`,
    ]);
  }
  return complaints;
}

function ageComplaints(
  staged: StagedSet,
  last: ReadonlyMap<Dataset, Profile>,
  { today, isTodayGiven }: CheckOptions,
): Complaint[] {
  if (!staged.profiles.has("motus_authhist")) return [];
  const title = titleOf("motus_authhist");
  const newest = staged.newestRowOn ?? "none";
  const before = last.get("motus_authhist")?.newestRowOn ?? null;
  const complaints: Complaint[] = [];
  if (before !== null && (staged.newestRowOn ?? "") < before) {
    complaints.push([
      "older-than-before",
      `${title} is older than what was imported: newest row ${newest}, before ${before}`,
    ]);
  }
  const weekBegan = addDays(today, -NEWEST_WITHIN_DAYS);
  if (isTodayGiven && (staged.newestRowOn ?? "") < weekBegan) {
    complaints.push(["recent-rows", `${title} has no row of the week before ${today}: newest row ${newest}`]);
  }
  return complaints;
}

const titleOf = (dataset: Dataset): string =>
  LAYOUTS.find((layout) => layout.dataset === dataset)?.title ?? dataset;
