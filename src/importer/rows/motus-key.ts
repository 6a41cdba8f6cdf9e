import { docketlessKey, isWithoutDocket, readDocket, readUsdot } from "../../registry/docket.ts";
import type { RemovalKey } from "../../registry/merge.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import { REASONS, reject, repair, type Tally } from "../tally.ts";
import { areEmpty } from "./policy.ts";

/** The company and docket of a Motus row; `docket` is the docketless key when the row names no docket. */
export interface MotusKey {
  docket: string;
  usdot: number | null;
}

/** Reads docket and USDOT number of a Motus row. Counts a row without both and returns false. */
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
 * Whether a row has nothing but its key. In a daily difference it removes the rows of that key, and is added to
 * `removalKeys`. It is always left out itself.
 */
export function isNothingButKey(
  line: CopyLines,
  otherFieldsAt: readonly number[],
  key: RemovalKey,
  { removalKeys, tally, isDifference }: { removalKeys: RemovalKey[]; tally: Tally; isDifference: boolean },
): boolean {
  if (!areEmpty(otherFieldsAt.map((index) => line.field(index)))) return false;
  if (isDifference) removalKeys.push(key);
  else reject(tally, REASONS.nothingButKey);
  return true;
}
