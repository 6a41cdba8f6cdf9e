import { compactDay } from "../histories/dates.ts";
import type { Policy } from "../histories/policy.ts";
import { hasHistoryMoved, type World } from "../histories/world.ts";
import { createRandom } from "../random.ts";
import { withStrangeYear } from "./motus-oddities.ts";

/** The 11 columns of the Motus Insur file. */
export const MOTUS_INSUR_COLUMNS: readonly string[] = (
  "DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT UNDERL_LIM_AMOUNT POLICY_NO " +
  "EFFECTIVE_DATE INSURANCE_COMPANY_NAME TRANS_DATE"
).split(" ");

/** A policy's rows on `day`: one for each filing, most of them repeated, none when it was removed from the file. */
export function motusInsurRows(
  world: World,
  index: number,
  policy: Policy,
  ids: string[],
  isInMotus: boolean,
  day: number,
): string[][] {
  const random = createRandom(world.seed, index, policy.topic + 1);
  const { cover, filings, until } = policy;
  const isChosen = random.chance(cover.class === "E" ? world.shares.excessCarried : CARRIED_SHARE);
  const isCarried = (isChosen || hasHistoryMoved(world, day)) && isInMotus;
  const strange = random.chance(world.shares.oddity(0.001, world.shares.inMotus));
  const effective = strange ? withStrangeYear(policy.effective, random) : compactDay(policy.effective);
  const isAmended = random.chance(0.03);
  if (until !== undefined && until <= day && policy.leavesFile) return [];
  const row = (filed: number, coverage: number) => [
    ...ids,
    `BMC-${cover.form}`,
    cover.type,
    cover.class,
    dollars(coverage),
    dollars(cover.underlying),
    policy.number,
    effective,
    policy.insurer,
    compactDay(filed),
  ];
  const rows: string[][] = [];
  for (const filed of filings) {
    const copies = COPIES[random.between(0, COPIES.length - 1)] ?? 1;
    if (filed > day || (filed <= world.legacyEnd && !isCarried)) continue;
    for (let copy = 0; copy < copies; copy += 1) rows.push(row(filed, cover.coverage));
    // Near-duplicates differ only in the amount.
    if (isAmended) rows.push(row(filed, cover.coverage + 250_000));
  }
  return rows;
}

/** Policies filed before the cut-over that were carried over. */
const CARRIED_SHARE = 0.12;
/** More than half of the file's rows repeat another row. */
const COPIES = [1, 1, 2, 2, 2, 2, 3, 3, 3, 4];

/** Dollars with cents, as the two insurance files have them. */
export const dollars = (amount: number): string => amount.toFixed(2);

/** A removal: a row that is blank, or zero, except for the docket. It does not say which policy was removed. */
export function removalRow(docket: string, isZero: boolean): string[] {
  const blank = MOTUS_INSUR_COLUMNS.map(() => "");
  const zero = { 1: "00000", 5: "00000", 6: "00000" };
  return Object.assign(blank, isZero ? zero : {}, { 0: docket });
}
