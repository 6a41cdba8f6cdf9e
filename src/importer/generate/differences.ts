import type { Company } from "./company.ts";
import { MOTUS_FILES, type MotusFile, type MotusRows } from "./motus-files.ts";
import { removalRow } from "./motus-insur.ts";
import { withHyphen } from "./motus-oddities.ts";
import { createRandom } from "./random.ts";
import { csvLine } from "./text-file.ts";
import type { World } from "./world.ts";

/**
 * A company's rows in the daily difference files of `day`: what was added or changed since the day before, now and
 * then all else it has, and of a docket that lost a policy a removal row and the policies that remain.
 */
export function differenceRows(
  world: World,
  company: Company,
  day: number,
  before: MotusRows | undefined,
  now: MotusRows,
): MotusRows {
  const rows: MotusRows = { carrier: [], authHist: [], revokeSuspend: [], insur: [], insHist: [] };
  const random = createRandom(world.seed, company.life.index, 6_000_000 + day);
  const isWhole = random.chance(0.3);
  const isOtherChange = random.chance(0.001);
  const isZero = random.chance(0.5);
  const hasHyphen = random.chance(0.2);
  let hasChanged = isOtherChange;
  for (const file of Object.keys(MOTUS_FILES) as MotusFile[]) {
    const known = new Set(before?.[file].map(csvLine));
    rows[file] = now[file].filter((row) => !known.has(csvLine(row)));
    hasChanged ||= rows[file].length > 0;
  }
  const remaining = new Set(now.insur.map(csvLine));
  const isRemoved = before?.insur.some((row) => !remaining.has(csvLine(row))) === true;
  if (isWhole && (hasChanged || isRemoved)) Object.assign(rows, now);
  const docket = (before?.insur ?? []).map(([number]) => number).find((number) => number !== "");
  if (isRemoved && docket !== undefined) {
    const number = hasHyphen ? withHyphen(docket) : docket;
    rows.insur = [removalRow(number, isZero), ...now.insur];
  }
  return rows;
}
