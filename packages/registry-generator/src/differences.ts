import type { Company } from "./companies/company.ts";
import type { World } from "./histories/world.ts";
import { MOTUS_FILES, type MotusFile, type MotusRows } from "./motus/motus-files.ts";
import { removalRow } from "./motus/motus-insur.ts";
import { withHyphen } from "./motus/motus-oddities.ts";
import { createRandom } from "./random.ts";
import { csvLine } from "./text-file.ts";

/**
 * A company's rows in the daily difference files of `day`: the rows added or changed since the day before, and sometimes
 * all its other rows. When a file lost rows, it has a removal row for their key and all rows that remain.
 */
export function differenceRows(
  world: World,
  company: Company,
  day: number,
  before: MotusRows | undefined,
  now: MotusRows,
): MotusRows {
  const rows: MotusRows = { carrier: [], authHist: [], revokeSuspend: [], insur: [], insHist: [], boc3: [] };
  const random = createRandom(world.seed, company.life.index, 6_000_000 + day);
  const isWhole = random.chance(0.3);
  const isOtherChange = random.chance(0.001);
  const isZero = random.chance(0.5);
  const hasHyphen = random.chance(0.2);
  const isDocketAlone = random.chance(0.6);
  let hasChanged = isOtherChange;
  const deletedFrom = new Map<MotusFile, readonly Key[]>();
  for (const file of Object.keys(MOTUS_FILES) as MotusFile[]) {
    const known = new Set(before?.[file].map(csvLine));
    rows[file] = now[file].filter((row) => !known.has(csvLine(row)));
    const deleted = deletedKeys(file, before?.[file] ?? [], now[file]);
    if (deleted.length > 0) deletedFrom.set(file, deleted);
    hasChanged ||= rows[file].length > 0 || deleted.length > 0;
  }
  if (isWhole && hasChanged) Object.assign(rows, now);
  for (const [file, deleted] of deletedFrom) {
    const removals = deleted.map(([docket, usdot]) => {
      const number = hasHyphen ? withHyphen(docket) : docket;
      // Only Insur has zeros, and removals that name nothing but the docket.
      if (file === "insur" && number !== "" && isDocketAlone) return removalRow(number, isZero);
      return MOTUS_FILES[file].columns.map((_, at) => [number, usdot][at] ?? "");
    });
    rows[file] = [...removals, ...now[file]];
  }
  return rows;
}

type Key = readonly [docket: string, usdot: string];

/** The keys of deleted rows. A row that a new row of the same authority replaces is not deleted. */
function deletedKeys(file: MotusFile, before: readonly string[][], now: readonly string[][]): readonly Key[] {
  if (before.length === 0) return [];
  const nameOf = (row: readonly string[]) =>
    file === "carrier" ? [row[0], row[1], row[3]].join() : csvLine(row);
  const remaining = new Set(now.map(nameOf));
  const deleted = new Map<string, Key>();
  for (const row of before) {
    const [docket = "", usdot = ""] = row;
    if (!remaining.has(nameOf(row))) deleted.set(`${docket} ${usdot}`, [docket, usdot]);
  }
  return [...deleted.values()];
}
