import type { Company } from "../companies/company.ts";
import type { Authority } from "../histories/authorities.ts";
import { compactDay } from "../histories/dates.ts";
import type { Action } from "../histories/histories.ts";
import type { World } from "../histories/world.ts";
import { createRandom, type Random } from "../random.ts";
import { withStrangeYear } from "./motus-oddities.ts";
import { MOTUS_STATUS, motusType } from "./motus-terms.ts";

/** The 6 columns of the Motus AuthHist file. */
export const MOTUS_AUTHHIST_COLUMNS: readonly string[] = [
  "DOCKET_NUMBER",
  "USDOT_NUMBER",
  "OP_AUTH_TYPE",
  "OP_AUTH_STATUS",
  "REASON",
  "STATUS_CHANGE_DATE",
];

/** Actions after the cut-over in mixed case, and some carried-over actions in capitals. */
export function motusHistoryRows(
  world: World,
  company: Company,
  authority: Authority,
  ids: string[],
): string[][] {
  const random = createRandom(world.seed, company.life.index, topicOf(authority));
  const type = motusType(company, authority);
  const oldType =
    authority.kind === "broker" && random.chance(0.3) ? random.pick(["Broker", "Broker of Property"]) : type;
  const carriedDates = world.shares.oddity(0.001, world.shares.inMotus);
  // Drawn before the history, which grows from day to day: a written row must stay.
  const correctionDay = world.firstDay + random.between(300, 700);
  const isCorrected = random.chance(world.shares.oddity(0.003, world.shares.inMotus));
  const isRepaired = company.life.plot === "carried" && random.chance(0.04);
  const bringsHistory = random.chance(0.75);
  const lastOld = authority.actions.findLast(({ act, day }) => day <= world.legacyEnd && MOTUS_STATUS[act]);
  const oldStatus = lastOld && MOTUS_STATUS[lastOld.act];
  const rows: string[][] = [];
  // A carried-over action is the newest one, seldom the original grant.
  const isCarried = (action: Action, chance: number) =>
    action.day > world.legacyEnd - 60 || (bringsHistory && (action === lastOld || chance < 0.2));
  if (lastOld && oldStatus && !isCarried(lastOld, 1))
    rows.push([...ids, type, oldStatus, "Initial Status", compactDay(world.legacyEnd)]);
  for (const action of authority.actions) {
    const actionStatus = MOTUS_STATUS[action.act];
    const carriedChance = random.next();
    const strangeChance = random.next();
    const reason = reasonText(company, authority, action, random);
    if (actionStatus === undefined) continue;
    if (action.day > world.legacyEnd) {
      rows.push([...ids, type, actionStatus, reason, compactDay(action.day)]);
    } else if (isCarried(action, carriedChance)) {
      const day = strangeChance < carriedDates ? withStrangeYear(action.day, random) : compactDay(action.day);
      rows.push([...ids, oldType, actionStatus, CARRIED[action.act] ?? "REVOKED", day]);
    }
  }
  if (isCorrected)
    rows.push([...ids, type, oldStatus ?? "Pending", "Administrative Correction", compactDay(correctionDay)]);
  if (isRepaired)
    rows.push([...ids, type, "Active", "Reinstated - MOTUS Issue #220", compactDay(world.legacyEnd)]);
  return rows;
}

function topicOf({ kind, slot }: Authority): number {
  if (slot === 2) return 25;
  return kind === "broker" ? 14 : kind === "household" && slot === 1 ? 26 : 15;
}

function reasonText(company: Company, { kind }: Authority, { act, day }: Action, random: Random): string {
  switch (act) {
    case "applied":
      return "Published to FMCSA Register";
    case "granted":
      return "Granted";
    case "reinstated":
      return random.chance(0.5) ? "Reinstated" : "Reinstated - insurance coverage restored";
    case "suspended_insurance":
      if ((kind === "broker" || kind === "forwarder") && (company.life.index + day) % 3 === 0)
        return "Involuntary Suspension - broker bond or trust fund below required amount; not restored within 7 days";
      return "Involuntary Suspension - insurance cancellation effective; no active insurance meeting minimum coverage on file";
    case "suspended_agent":
      return "Involuntary Suspension - BOC-3 cancellation effective";
    case "proceeding_dropped":
      return "Discontinued Revocation";
    case "withdrawn":
      return `Withdrawn by ${company.contacts.email || `owner${company.life.index}@mailbox.example`}`;
    default:
      return "Revoked";
  }
}

const CARRIED: Partial<Record<Action["act"], string>> = {
  applied: "INITIAL STATUS",
  granted: "GRANTED",
  reinstated: "REINSTATED",
  proceeding_dropped: "DISCONTINUED REVOCATION",
  withdrawn: "WITHDRAWN",
};
