import * as sql from "../../generated/sql/importer/checks.ts";
import { addDays } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { type Dataset, isLegacy } from "../../registry/datasets.ts";
import type { Source } from "../../registry/sources.ts";
import { titleOf } from "../official/official-files.ts";
import type { StagedFile, StagedSet } from "../stage/staged-set.ts";
import { type Complaint, ROWS_WITH_SHARES } from "./complaint.ts";

const NEWEST_WITHIN_DAYS = 7;

/** Complains about live files that are too old by the dates in their rows. `today`: YYYY-MM-DD. */
export function ageComplaints(
  staged: StagedSet,
  last: ReadonlyMap<Dataset, Source>,
  { today, isTodayGiven }: { today: string; isTodayGiven: boolean },
): Complaint[] {
  const imported = newestImported(staged, last);
  // Rows after that day do not count as read, so the files would all look old.
  if (isTodayGiven && imported !== null && today < imported) {
    const sentence = `--as-of names ${today}, but rows up to ${imported} were imported: that day is wrong, or the files are old`;
    return [["older-than-before", sentence]];
  }
  if (staged.isDifference) return differenceComplaints(staged, imported);
  return [...staged.newestByDataset].flatMap(([dataset, newest]) => {
    const complaints: Complaint[] = [];
    const before = last.get(dataset)?.newestRowOn ?? null;
    if (before !== null && (newest ?? "") < before)
      complaints.push(olderThan(titleOf(dataset), newest, before));
    // A small file may have no row for a week.
    const isLarge = (staged.profiles.get(dataset)?.rows ?? 0) >= ROWS_WITH_SHARES;
    if (isTodayGiven && isLarge && (newest ?? "") < addDays(today, -NEWEST_WITHIN_DAYS)) {
      const sentence = `${titleOf(dataset)} has no row of the week before ${today}: newest row ${newest ?? "none"}`;
      complaints.push(["recent-rows", sentence]);
    }
    return complaints;
  });
}

/**
 * A difference of an earlier day would undo later changes. The files are compared together, since one of them may have
 * no row for a day.
 */
function differenceComplaints(staged: StagedSet, before: string | null): Complaint[] {
  const newest = newestOf([...staged.newestByDataset.values()]);
  if (newest === null || before === null || newest >= before) return [];
  return [olderThan("The daily difference", newest, before)];
}

/** The newest row that was imported of the datasets in the folder. */
const newestImported = ({ newestByDataset }: StagedSet, last: ReadonlyMap<Dataset, Source>): string | null =>
  newestOf([...newestByDataset.keys()].map((dataset) => last.get(dataset)?.newestRowOn ?? null));

const newestOf = (days: readonly (string | null)[]): string | null =>
  days
    .filter((day) => day !== null)
    .sort()
    .at(-1) ?? null;

const olderThan = (title: string, newest: string | null, before: string): Complaint => [
  "older-than-before",
  `${title} is older than what was imported: newest row ${newest ?? "none"}, before ${before}`,
];

/** Complains about files with the same bytes as a file of an import before the last one. */
export async function oldFileComplaints({ db }: Context, files: readonly StagedFile[]): Promise<Complaint[]> {
  const live = files.flatMap(({ file, dataset, sha256, rowsRead }) =>
    sha256 === undefined || isLegacy(dataset) || rowsRead === 0 ? [] : [{ file, dataset, sha256 }],
  );
  const rows = await sql.findOldFiles(db.bulkPool, {
    datasets: live.map(({ dataset }) => dataset),
    sha256s: live.map(({ sha256 }) => sha256),
  });
  return live.flatMap(({ file, dataset, sha256 }): Complaint[] => {
    const old = rows.find((row) => row.dataset === dataset && row.sha256 === sha256);
    if (!old) return [];
    const sentence = `${file} (${titleOf(dataset)}) is the file of import ${old.run}, as of ${old.asOf}; a newer one was imported since`;
    return [[`old-file:${dataset}`, sentence]];
  });
}
