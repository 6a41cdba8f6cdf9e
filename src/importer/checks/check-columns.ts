import type pg from "pg";
import * as sql from "../../generated/sql/importer/checks.ts";
import type { Context } from "../../platform/context.ts";
import type { Dataset } from "../../registry/datasets.ts";
import {
  type ChangedValue,
  type ColumnChanges,
  findChangedValues,
} from "../../registry/merge/column-changes.ts";
import { COLUMN_JUMPS } from "../../registry/vocabularies/senses.ts";
import { removedAmong } from "../../suppression/status.ts";
import { officialColumn, titleOf } from "../official/official-files.ts";
import { type StagedSet, stagedRows } from "../stage/staged-set.ts";
import { type Complaint, daysBetween, percent } from "./complaint.ts";

/** What an import changed in a dataset. */
export interface DatasetChanges {
  /** The rows that were stored before. */
  rows: number;
  /** How many of them changed, by column. */
  changed: ColumnChanges;
  /**
   * The rows with a key that was not there before, without those that one of the last imports had. Imports of older
   * programs, and of daily differences, do not know.
   */
  added?: number;
}

/** The changes of an import by dataset: its report keeps them, and the next imports are compared with them. */
export type ChangesByDataset = Partial<Record<Dataset, DatasetChanges>>;

const EXAMPLES = 3;
/** Columns whose values could be those of people. */
const UNSHOWN = /PHONE|TELNO|EMAIL|NAME|STREET/;

interface ChangesOfImport {
  staged: StagedSet;
  changes: ChangesByDataset;
  asOf: string;
  before: string | null;
}

/**
 * Complains about columns whose values changed in far more rows than they do from one import to the next, and about files
 * that got far more rows.
 */
export async function jumpComplaints(
  context: Context,
  client: pg.ClientBase,
  { staged, changes, asOf, before }: ChangesOfImport,
): Promise<Complaint[]> {
  const runs = await lastShares(client);
  const days = daysBetween(before, asOf);
  return [
    ...(await columnComplaints(context, client, { staged, changes, runs, days })),
    ...rowComplaints({ changes, runs, days }),
  ];
}

/** What an import changed, and what those before it did. */
interface Compared {
  changes: ChangesByDataset;
  runs: readonly LastShares[];
  days: number;
}

async function columnComplaints(
  context: Context,
  client: pg.ClientBase,
  { staged, changes, runs, days }: Compared & { staged: StagedSet },
): Promise<Complaint[]> {
  const complaints = new Map<string, Complaint>();
  for (const [dataset, { rows, changed }] of Object.entries(changes) as [Dataset, DatasetChanges][]) {
    for (const [column, count] of Object.entries(changed)) {
      const usual = usualShare(runs, dataset, ({ changed }) => changed[column] ?? 0);
      const fewest = usual === 0 ? COLUMN_JUMPS.fewest_rows_of_still : COLUMN_JUMPS.fewest_rows;
      if (count < fewest || !isJump(count, rows, usual, days)) continue;
      const official = officialColumn(dataset, column);
      const values = await findChangedValues(client, stagedRows(staged, dataset), column, 2 * EXAMPLES);
      const examples = await examplesOf(context, official, values);
      const sentence =
        `${titleOf(dataset)} has other values than before in column ${official} of ${count} of ${rows} rows ` +
        `(${percent(count / Math.max(rows, 1))}${asARule(usual, days)})`;
      complaints.set(`${dataset}.${official}`, [
        `column-jump:${dataset}.${official}`,
        `${sentence}: ${examples}`,
        sentence,
      ]);
    }
  }
  return [...complaints.values()];
}

function rowComplaints({ changes, runs, days }: Compared): Complaint[] {
  return (Object.entries(changes) as [Dataset, DatasetChanges][]).flatMap(
    ([dataset, { rows, added = 0 }]): Complaint[] => {
      const usual = usualShare(runs, dataset, (before) => before.added ?? null);
      if (added < COLUMN_JUMPS.fewest_new_rows || !isJump(added, rows, usual, days)) return [];
      const sentence =
        `${titleOf(dataset)} has ${added} rows with keys that none of its ${rows} rows before had ` +
        `(${percent(added / Math.max(rows, 1))}${asARule(usual, days)})`;
      return [[`row-jump:${dataset}`, sentence]];
    },
  );
}

const asARule = (usual: number | null, days: number): string =>
  usual === null ? "" : `, ${usual === 0 ? "none" : `about ${percent(usual * days)}`} as a rule`;

function isJump(count: number, rows: number, usual: number | null, days: number): boolean {
  const { least_share, times_median, daily_share, most_share } = COLUMN_JUMPS;
  const limit = usual === null ? Math.min(daily_share * days, most_share) : usual * times_median * days;
  return count / Math.max(rows, 1) > Math.max(limit, least_share);
}

/** The median share of a day, of the last imports in which some rows count; null while too few changed the file. */
function usualShare(
  runs: readonly LastShares[],
  dataset: Dataset,
  count: (changes: DatasetChanges) => number | null,
): number | null {
  const shares = runs.flatMap(({ changes, days }) => {
    const before = changes[dataset];
    const counted = before?.changed && before.rows ? count(before) : null;
    return before && counted !== null ? [counted / before.rows / days] : [];
  });
  if (shares.length < COLUMN_JUMPS.fewest_imports) return null;
  const above = shares.filter((share) => share > 0).sort((one, other) => one - other);
  return above[Math.floor(above.length / 2)] ?? 0;
}

interface LastShares {
  changes: ChangesByDataset;
  /** Since the import before. */
  days: number;
}

async function lastShares(client: pg.ClientBase): Promise<LastShares[]> {
  const runs = await sql.lastColumnChanges(client, { limit: COLUMN_JUMPS.imports + 1 });
  return runs.slice(0, COLUMN_JUMPS.imports).map(({ asOf, changes }, index) => ({
    changes: changes ?? {},
    days: daysBetween(runs[index + 1]?.asOf ?? null, asOf),
  }));
}

/** A few changed values, without businesses on the removal list. */
async function examplesOf(
  context: Context,
  column: string,
  values: readonly ChangedValue[],
): Promise<string> {
  const removed = await removedAmong(
    context,
    values.flatMap(({ usdot }) => usdot ?? []),
  );
  const shown = values.filter(({ usdot }) => usdot === null || !removed.has(usdot)).slice(0, EXAMPLES);
  return shown
    .map(({ usdot, docket, before, now }) => {
      const whose = usdot === null ? `docket ${docket}` : `USDOT ${usdot}`;
      if (UNSHOWN.test(column)) return whose;
      return `${whose} ${JSON.stringify(before ?? "")} became ${JSON.stringify(now ?? "")}`;
    })
    .join(", ");
}
