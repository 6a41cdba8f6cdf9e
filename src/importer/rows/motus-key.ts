import { docketlessKey, isWithoutDocket, readDocket, readUsdot } from "../../registry/docket.ts";
import type { Removal } from "../../registry/merge.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import { REASONS, reject, repair, type Tally } from "../tally.ts";
import { saysNothing } from "./policy.ts";

/** What a Motus row is about; `docket` is the holder's docketless key where the row names none. */
export interface MotusKey {
  docket: string;
  usdot: number | null;
}

/** Reads docket and USDOT number of a Motus row; false for a row about nobody, which is counted. */
export function readMotusKey(
  line: CopyLines,
  docketAt: number,
  usdotAt: number,
  tally: Tally,
): MotusKey | false {
  const raw = line.field(docketAt);
  const docket = readDocket(raw);
  const usdot = readUsdot(line.field(usdotAt));
  if (docket !== null) return { docket, usdot };
  if (!isWithoutDocket(raw)) return reject(tally, "unreadable docket");
  if (usdot === null) return reject(tally, "neither docket nor USDOT number");
  repair(tally, REASONS.noDocket);
  return { docket: docketlessKey(usdot), usdot };
}

/**
 * Whether a row says nothing but whom it is about. In a daily difference it takes back what stood there, and goes to
 * `removals`; a whole file has no use for it. The row is left out in both.
 */
export function isNothingButKey(
  line: CopyLines,
  otherFieldsAt: readonly number[],
  removal: Removal,
  { removals, tally, isDifference }: { removals: Removal[]; tally: Tally; isDifference: boolean },
): boolean {
  if (!saysNothing(otherFieldsAt.map((place) => line.field(place)))) return false;
  if (isDifference) removals.push(removal);
  else reject(tally, REASONS.nothingButKey);
  return true;
}
