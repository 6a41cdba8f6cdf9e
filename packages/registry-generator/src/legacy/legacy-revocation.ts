import type { Authority } from "../histories/authorities.ts";
import { americanDay } from "../histories/dates.ts";
import type { World } from "../histories/world.ts";
import type { Random } from "../random.ts";

/** The 6 columns of the legacy Revocation file, with the portal's names. */
export const LEGACY_REVOCATION_COLUMNS: readonly string[] =
  "DOCKET_NUMBER DOT_NUMBER TYPE_LICENSE ORDER1_SERVE_DATE ORDER2_TYPE_DESC order2_effective_Date".split(" ");

/** One row for each form in which an authority was revoked or given up, a few of them twice. */
export function legacyRevocationRows(
  world: World,
  { forms, actions }: Authority,
  ids: string[],
  random: Random,
): string[][] {
  const typeless = world.shares.oddity(0.001, 0.2);
  const rows: string[][] = [];
  let isHeld = false;
  for (const { act, day } of actions) {
    const isVoluntary = act === "withdrawn";
    if (isHeld && (act === "revoked" || isVoluntary)) {
      for (const form of forms) {
        const type = random.chance(typeless) ? "" : form;
        const dates = isVoluntary ? voluntaryDates(day, random) : involuntaryDates(day, random);
        const text = `${isVoluntary ? "VOLUNTARY" : "INVOLUNTARY"} REVOCATION`;
        const row = [...ids, type, dates[0], text, dates[1]];
        rows.push(row, ...(random.chance(0.025) ? [row] : []));
      }
    }
    if (act === "granted" || act === "reinstated") isHeld = true;
    else if (act === "revoked" || isVoluntary) isHeld = false;
  }
  return rows;
}

type Dates = [served: string, effective: string];

function involuntaryDates(day: number, random: Random): Dates {
  const notice = random.chance(0.002)
    ? -random.between(1, 97)
    : random.pick([30, 31, 33, 33, 33, 33, 35, 36]);
  const effective = random.chance(0.966) ? americanDay(day) : "";
  return [random.chance(0.997) ? americanDay(day - notice) : "", effective];
}

const voluntaryDates = (day: number, random: Random): Dates => [
  random.chance(0.293) ? americanDay(day) : "",
  random.chance(0.0005) ? americanDay(day) : "",
];
