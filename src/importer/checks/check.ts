import type { Context } from "../../platform/context.ts";
import { type Dataset, isDifferenceOf, isLegacy } from "../../registry/datasets.ts";
import { listSources, type Source } from "../../registry/sources.ts";
import { titleOf } from "../official/official-files.ts";
import { Refusal } from "../read/refusal.ts";
import { REASONS } from "../rows/tally.ts";
import type { Profile, StagedFile, StagedSet } from "../stage/staged-set.ts";
import { complaintsAgainstLast } from "./check-against-last.ts";
import { ageComplaints, oldFileComplaints } from "./check-age.ts";
import { absentComplaints, manifestComplaints, namedComplaints } from "./check-folder.ts";
import { followsFromMove, moveComplaints } from "./check-history-moves.ts";
import { frozenComplaints, hasLossLimit, lostRowComplaints } from "./check-lost-rows.ts";
import { oddRowComplaints, shiftedRowComplaints, valueComplaints } from "./check-values.ts";
import { type Accepted, type Complaint, percent, ROWS_WITH_SHARES, refuseUnless } from "./complaint.ts";

export interface CheckOptions {
  /** The day of the import, YYYY-MM-DD. */
  today: string;
  /** Whether an operator named that day. Only then must large files have rows of the week before it. */
  isTodayGiven: boolean;
  /** The import replaces all stored rows, so there is nothing to compare with. */
  startsAnew: boolean;
  /** Names of checks that an operator overrides. */
  accept: Accepted;
}

const MOST_REPEATED_SHARE = 0.05;
const MOST_WITHOUT_STATUS_SHARE = 0.05;
const MOST_LEFT_OUT_SHARE = 0.05;

// Every feed needs these. Other datasets only add to some feeds, which are not live until they are imported.
const REQUIRED: readonly Dataset[] = [
  ...(["census", "motus_carrier", "motus_authhist"] as const),
  ...(["legacy_carrier", "legacy_authhist"] as const),
];

/**
 * Checks the staged rows, also against the last good import. Throws a Refusal when a check fails that the operator does
 * not accept.
 */
export async function checkStaged(context: Context, staged: StagedSet, options: CheckOptions): Promise<void> {
  const sources = options.startsAnew ? [] : await listSources(context);
  const last = new Map(sources.map((source) => [source.dataset, source]));
  requireWholeFiles(staged, last);
  const complaints = [
    ...namedComplaints(staged),
    ...(options.startsAnew ? [] : await absentComplaints(context, staged)),
    ...missingSources(staged, last),
    ...manifestComplaints(staged.files),
    ...staged.files.flatMap((file) => {
      const before = (last.get(file.dataset)?.profile as Profile | undefined) ?? null;
      return file.rowsRead === 0 || staged.unchanged.has(file.dataset)
        ? []
        : [
            ...valueComplaints(file, before, isDifferenceOf(staged, file.dataset)),
            ...rowComplaints(file),
            ...oddRowComplaints(file, before),
          ];
    }),
    ...ageComplaints(staged, last, options),
    ...[...staged.profiles].flatMap(([dataset, now]) => {
      const before = last.get(dataset);
      // The size of a daily difference says nothing about the whole file.
      if (!before || isDifferenceOf(staged, dataset)) return [];
      return complaintsAgainstLast(dataset, before.profile as Profile, now);
    }),
    ...(options.startsAnew ? [] : await storedComplaints(context, staged, last)),
  ];
  const carrier = last.get("motus_carrier")?.profile as Profile | undefined;
  const moves = await moveComplaints(context, staged, carrier);
  staged.hasHistoryMoved = moves.length > 0;
  refuseUnless(options.accept, [
    ...moves,
    ...complaints.filter((complaint) => !staged.hasHistoryMoved || !followsFromMove(complaint)),
  ]);
}

/** Complaints from comparing the files with the stored data. */
async function storedComplaints(
  context: Context,
  staged: StagedSet,
  last: LastImports,
): Promise<Complaint[]> {
  const { bulkPool } = context.db;
  const complaints = [
    ...(await oldFileComplaints(context, staged.files)),
    ...(await shiftedRowComplaints(bulkPool, staged)),
  ];
  for (const [dataset, { sha256 }] of staged.profiles) {
    if (isDifferenceOf(staged, dataset) || staged.unchanged.has(dataset)) continue;
    const before = (last.get(dataset)?.profile as Profile | undefined)?.sha256;
    if (isLegacy(dataset) && before !== undefined && before !== sha256)
      complaints.push(...(await frozenComplaints(bulkPool, dataset)));
    if (hasLossLimit(dataset)) complaints.push(...(await lostRowComplaints(bulkPool, dataset)));
  }
  return complaints;
}

type LastImports = ReadonlyMap<Dataset, Source>;

/** A difference needs its whole file imported before: without it, the difference would count as the whole file. */
function requireWholeFiles(staged: StagedSet, last: LastImports): void {
  const partial = [...staged.profiles.keys()].filter((dataset) => isDifferenceOf(staged, dataset));
  const missing = partial.filter((dataset) => !last.has(dataset));
  if (missing.length === 0) return;
  throw new Refusal(
    `Only a daily difference of ${missing.map(titleOf).join(", ")}, never imported whole; import the whole files first.`,
    "missing-source",
  );
}

function missingSources(staged: StagedSet, last: LastImports): Complaint[] {
  const missing = REQUIRED.filter((dataset) => !staged.profiles.has(dataset) && !last.has(dataset));
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
  // Repeats and missing statuses have their own complaints above.
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
