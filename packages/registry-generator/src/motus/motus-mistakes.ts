import { chosenCompanies } from "../companies/chosen.ts";
import type { Company } from "../companies/company.ts";
import { compactDay } from "../histories/dates.ts";
import type { World } from "../histories/world.ts";
import { createRandom } from "../random.ts";
import type { MotusFile, MotusRows } from "./motus-files.ts";
import { withHyphen } from "./motus-oddities.ts";

/** Every third day the registry deletes a row that was a mistake, from each of these files in turn. */
const MISTAKEN: readonly MotusFile[] = ["carrier", "authHist", "revokeSuspend", "insHist"];
const STEP_DAYS = 3;
/** Turns until the same company has a mistake again. */
const TURNS = 20;
/** Days from the mistake to its removal. */
const STANDING_DAYS = 8;

const REASONS = ["Compliance Review Concluded", "Registration Merged", "Biennial Update Overdue"];
const ORDERS = [
  "Order to Show Cause",
  "Notice of Registration Review",
  "Operating Authority Conditional Order",
];
const ENDINGS = ["RESCINDED", "NON PAYMENT", "FILED IN ERROR"];
const CLASSES = ["X", "D", "9"];
const INSURER = "Old Quarry Mutual Insurance Company";

/** Adds values that are in no list of the registry's codes: the same few every day, none in a small registry. */
export function addUnknownValues(world: World, company: Company, rows: MotusRows, day: number): void {
  const { shares, seed, firstDay } = world;
  const rank = rankOf(world, company);
  const [carrier] = rows.carrier;
  if (carrier === undefined || rank === undefined || rank >= shares.unknownCompanies) return;
  const [docket = "", usdot = "", , type = ""] = carrier;
  const random = createRandom(seed, rank, 28);
  const [reason, order, ending, ofClass] = [REASONS, ORDERS, ENDINGS, CLASSES].map((list) =>
    random.pick(list),
  );
  const ids = [docket, usdot];
  rows.authHist.push([...ids, type, "Active", reason ?? "", compactDay(firstDay - 9)]);
  const [number, cancelled] = [`QX ${company.life.index}-20`, `QX ${company.life.index}-19`];
  const [begun, ends, filed] = [firstDay - 300, firstDay + 20, firstDay - 12].map(compactDay) as Days;
  // One company's policy ends in an unknown way; the next one's is cancelled, and one of an unknown class stays.
  const isEnding = rank % 2 === 0;
  const policy = ["BMC-91X", "1", isEnding ? "P" : (ofClass ?? ""), "750000.00", "0.00", number, begun];
  rows.insur.push([...ids, ...policy, INSURER, filed]);
  rows.insHist.push(
    isEnding
      ? endedRow(ids, ending ?? "", number, begun, ends)
      : endedRow(ids, "CANCEL", cancelled, begun, ends),
  );
  // The file of orders grows slowly: the next order comes after four months.
  if (rank >= shares.unknownOrders) return;
  for (let served = firstDay - 10; served <= day; served += 120) {
    const dates = [compactDay(served), order ?? "", compactDay(served + 30)];
    rows.revokeSuspend.push([withHyphen(docket), usdot, type, ...dates]);
  }
}

type Days = [begun: string, ends: string, filed: string];

/** Adds a row that the registry deletes some days later: an authority, a reinstatement, an order or an ended policy. */
export function addMistakes(world: World, company: Company, rows: MotusRows, day: number): void {
  const { shares, firstDay } = world;
  const rank = rankOf(world, company);
  const [carrier] = rows.carrier;
  if (carrier === undefined || rank === undefined) return;
  const turn = Math.floor((rank - shares.unknownCompanies) / shares.mistakesAtOnce);
  const cycleDays = TURNS * STEP_DAYS;
  const first = firstDay + 2 + turn * STEP_DAYS;
  const removed = first + Math.ceil(Math.max(0, day + 1 - first) / cycleDays) * cycleDays;
  const made = removed - STANDING_DAYS;
  if (turn < 0 || day < made) return;
  const [docket = "", usdot = "", , type = ""] = carrier;
  const ids = [docket, usdot];
  const types = new Set(rows.carrier.map((row) => row[3]));
  const other = OTHER_TYPES.find((candidate) => !types.has(candidate)) ?? "";
  const notice = [
    compactDay(made),
    "Operating Authority Involuntary Suspension Notice",
    compactDay(made + 30),
  ];
  const mistake: Partial<Record<MotusFile, string[]>> = {
    carrier: [...carrier.with(3, other).with(4, "Active")],
    authHist: [...ids, type, "Active", "Reinstated", compactDay(made)],
    revokeSuspend: [withHyphen(docket), usdot, type, ...notice],
    insHist: endedRow(ids, "CANCEL", `MISFILED ${turn}`, compactDay(made - 300), compactDay(made + 33)),
  };
  const file = MISTAKEN[turn % MISTAKEN.length] as MotusFile;
  rows[file].push(mistake[file] as string[]);
}

const OTHER_TYPES = ["Motor Carrier of Household Goods", "Motor Carrier of Passengers"];

/** The company's rank among those with such rows: first those with unknown values, then those with mistakes. */
function rankOf(world: World, { life }: Company): number | undefined {
  const { unknownCompanies, mistakesAtOnce } = world.shares;
  if (life.plot !== "carried") return undefined;
  return chosenCompanies(world, unknownCompanies + TURNS * mistakesAtOnce).get(life.index);
}

function endedRow(ids: string[], reason: string, number: string, begun: string, ends: string): string[] {
  const policy = ["1", " ", number, "BIPD", "750000.00", "P", begun, "0.00", "750000.00", ends, INSURER];
  return [...ids, "BMC-91X", reason, ...policy];
}
