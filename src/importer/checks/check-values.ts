import * as sql from "../../generated/sql/importer/checks.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { titleOf } from "../official/official-files.ts";
import { documentedForm } from "../rows/days.ts";
import { REASONS } from "../rows/tally.ts";
import type { Profile, StagedFile, StagedSet } from "../stage/staged-set.ts";
import { type Complaint, percent } from "./complaint.ts";

/** Maximum share of a file's rows, and number of them, that may have a new problem. */
const MOST_SHARE = 0.005;
export const MOST_ROWS = 25;
/** In small files fewer rows than this are accepted. */
const FEWEST_ROWS = 3;
/** The same for rejected rows and rows without a docket, of which a small file may get a few more any day. */
const FEWEST_ODD_ROWS = 10;
/** Growth since the last import that is accepted. */
const GROWTH = 1.1;
const VALUES_SHOWN = 3;

/**
 * Complains about unknown coded values, and dates in another form, that the last good import of the file did not have.
 * `before` is null for a first import.
 */
export function valueComplaints(
  file: StagedFile,
  before: Profile | null,
  isDifference: boolean,
): Complaint[] {
  const { dataset, rowsRead, unknownValues = {}, dates = {}, otherUnits = {} } = file;
  const unknown = Object.entries(unknownValues).flatMap(([column, values]): Complaint[] => {
    const valuesBefore = new Map(Object.entries(before?.unknownValues?.[column] ?? {}));
    const fresh = Object.entries(values).filter(([value, rows]) => {
      const known = valuesBefore.get(value) ?? 0;
      return isDifference ? known === 0 : rows > known * GROWTH;
    });
    const rows = fresh.reduce((sum, [, count]) => sum + count, 0);
    if (!isTooMuch(rows, rowsRead)) return [];
    return [
      [
        `unknown-values:${dataset}.${column}`,
        `${file.file} (${titleOf(dataset)}) has values in column ${column} that are not known: ${shown(fresh)} ` +
          `(${rows} of ${rowsRead} rows)`,
      ],
    ];
  });
  const forms = Object.entries(dates).flatMap(([column, { filled, otherForm, examples }]): Complaint[] => {
    const known = before?.dates?.[column]?.otherForm ?? 0;
    if (!isTooMuch(otherForm, filled) || (!isDifference && otherForm <= known * GROWTH)) return [];
    return [
      [
        `date-format:${dataset}.${column}`,
        `${file.file} (${titleOf(dataset)}) has another date format than ${documentedForm(dataset)} in column ${column}: ` +
          `${examples.map((example) => JSON.stringify(example)).join(", ")} (${otherForm} of ${filled} rows)`,
      ],
    ];
  });
  const units = Object.entries(otherUnits).flatMap(([column, rows]): Complaint[] => {
    const known = before?.otherUnits?.[column] ?? 0;
    if (!isTooMuch(rows, rowsRead) || (!isDifference && rows <= known * GROWTH)) return [];
    return [
      [
        `unit-jump:${dataset}.${column}`,
        `${file.file} (${titleOf(dataset)}) has amounts in column ${column} that are plausible only in another unit, ` +
          `such as thousands of dollars (${rows} of ${rowsRead} rows)`,
      ],
    ];
  });
  return [...unknown, ...forms, ...units];
}

const isTooMuch = (rows: number, of: number, fewest = FEWEST_ROWS): boolean =>
  rows > MOST_ROWS || (rows >= fewest && rows > of * MOST_SHARE);

/** Complains when far more rows than last time are left out or have no docket. */
export function oddRowComplaints(file: StagedFile, before: Profile | null): Complaint[] {
  const { dataset } = file;
  const rejected = { ...file.rejected, [REASONS.noDocket]: file.repaired[REASONS.noDocket] ?? 0 };
  const earlier = before?.rejected;
  // A first import has nothing to compare with; check.ts checks the share of rejected rows.
  if (!earlier) return [];
  return Object.entries(rejected).flatMap(([reason, rows]): Complaint[] => {
    const grown = rows - (earlier[reason] ?? 0);
    if (rows <= (earlier[reason] ?? 0) * GROWTH || !isTooMuch(grown, file.rowsRead, FEWEST_ODD_ROWS))
      return [];
    return [
      [
        `rejected-growth:${dataset}`,
        `${file.file} (${titleOf(dataset)}) has ${rows} odd rows (${reason}) after ` +
          `${earlier[reason] ?? 0}, ${percent(rows / Math.max(file.rowsRead, 1))} of them`,
      ],
    ];
  });
}

/** Companies of the feeds whose rows may be left out because their cells are in the wrong columns. */
const MOST_SHIFTED = 10;

/** Complains when rows with cells in the wrong columns are about too many companies of the feeds. */
export async function shiftedRowComplaints(client: Queryable, staged: StagedSet): Promise<Complaint[]> {
  const complaints: Complaint[] = [];
  for (const { file, dataset } of staged.files) {
    const { usdots = [], dockets = [] } = staged.oddRows.get(dataset) ?? {};
    if (usdots.length + dockets.length <= MOST_SHIFTED) continue;
    const { companies } = await sql.countAffected(client, { usdots, dockets });
    if (companies <= MOST_SHIFTED) continue;
    complaints.push([
      `shifted-rows:${dataset}`,
      `${file} (${titleOf(dataset)}) has rows whose cells are in the wrong columns, as after a stray comma, of ` +
        `${companies} companies that feeds may have`,
    ]);
  }
  return complaints;
}

const shown = (values: readonly [string, number][]): string => {
  const most = [...values].sort(([, one], [, other]) => other - one);
  const first = most.slice(0, VALUES_SHOWN).map(([value, rows]) => `${JSON.stringify(value)} ${rows} times`);
  return most.length > VALUES_SHOWN
    ? `${first.join(", ")} and ${most.length - VALUES_SHOWN} more`
    : first.join(", ");
};
