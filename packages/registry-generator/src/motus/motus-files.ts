import type { Company } from "../companies/company.ts";
import { type Docket, isInMotus } from "../histories/authorities.ts";
import type { Action } from "../histories/histories.ts";
import { ledgerOf } from "../histories/policies.ts";
import type { Policy } from "../histories/policy.ts";
import { hasHistoryMoved, type World } from "../histories/world.ts";
import { createRandom, type Random } from "../random.ts";
import { MOTUS_AUTHHIST_COLUMNS, motusHistoryRows } from "./motus-authhist.ts";
import { MOTUS_BOC3_COLUMNS, motusBoc3Rows } from "./motus-boc3.ts";
import { addBrokenRows } from "./motus-broken.ts";
import { MOTUS_CARRIER_COLUMNS, motusCarrierRow } from "./motus-carrier.ts";
import { MOTUS_INSHIST_COLUMNS, motusInshistRows } from "./motus-inshist.ts";
import { MOTUS_INSUR_COLUMNS, motusInsurRows } from "./motus-insur.ts";
import { addMistakes, addUnknownValues } from "./motus-mistakes.ts";
import { MOTUS_REVOKESUSPEND_COLUMNS, motusNoticeRows } from "./motus-revokesuspend.ts";
import { MOTUS_STATUS } from "./motus-terms.ts";

/** The Motus files by dataset, in the order in which they are written. */
export const MOTUS_FILES = {
  carrier: { name: "motus_carrier.csv", columns: MOTUS_CARRIER_COLUMNS },
  authHist: { name: "motus_authhist.csv", columns: MOTUS_AUTHHIST_COLUMNS },
  revokeSuspend: { name: "motus_revokesuspend.csv", columns: MOTUS_REVOKESUSPEND_COLUMNS },
  insur: { name: "motus_insur.csv", columns: MOTUS_INSUR_COLUMNS },
  insHist: { name: "motus_inshist.csv", columns: MOTUS_INSHIST_COLUMNS },
  boc3: { name: "motus_boc3.csv", columns: MOTUS_BOC3_COLUMNS },
} as const;

export type MotusFile = keyof typeof MOTUS_FILES;
/** A company's rows in each Motus file. */
export type MotusRows = Record<MotusFile, string[][]>;

/** Companies of these plots never do anything that Motus records. */
const LEGACY_PLOTS = new Set(["settled", "lapsed", "never", "none"]);

/** The company's rows in the Motus files on `day`, with the many repeated rows that the real files have. */
export function motusRows(world: World, company: Company, day: number): MotusRows {
  const rows: MotusRows = { carrier: [], authHist: [], revokeSuspend: [], insur: [], insHist: [], boc3: [] };
  const { life } = company;
  const [leading] = company.dockets;
  const hasMoved = hasHistoryMoved(world, day);
  if (leading === undefined || (LEGACY_PLOTS.has(life.plot) && !hasMoved)) return rows;
  const isKnown = hasMoved || isInMotus(world, life, leading, day);
  const random = createRandom(world.seed, life.index, 10);
  for (const docket of company.dockets) {
    // A second docket whose authority ended long ago is only in the legacy files.
    if (!hasMoved && docket !== leading && statusOf(docket.authorities[0]?.actions ?? []) !== "Active")
      continue;
    const number = motusDocket(docket, random, world.shares.oddity(0.01, world.shares.inMotus));
    const ids: [string, string] = [number, String(company.dotNumber)];
    const onFile: Policy[] = [];
    const held: string[] = [];
    for (const authority of docket.authorities) {
      // Often Motus has one authority of a company, and only the legacy files have the other.
      const isLeft = authority.slot > 0 && life.plot !== "applicant" && random.chance(0.3);
      const isHeld = isKnown && (hasMoved || !isLeft);
      const ledger = ledgerOf(world, life, authority, day);
      const status = statusOf(authority.actions);
      // Two authorities of a carrier on one docket share their policies.
      const insured = authority.kind === "household" ? [...onFile, ...ledger.policies] : ledger.policies;
      onFile.push(...ledger.policies);
      if (isHeld && status !== undefined) {
        held.push(status);
        const insuredLedger = { ...ledger, policies: insured };
        rows.carrier.push(motusCarrierRow(world, company, authority, ids, status, insuredLedger, day));
        rows.authHist.push(...motusHistoryRows(world, company, authority, ids));
      }
      rows.revokeSuspend.push(...motusNoticeRows(world, company, authority, number, isHeld, day));
      for (const policy of ledger.policies) {
        rows.insur.push(...motusInsurRows(world, life.index, policy, ids, isHeld, day));
        rows.insHist.push(...motusInshistRows(world, life.index, ledger, policy, ids, isHeld, day));
      }
    }
    if (held.length > 0)
      rows.boc3.push(...motusBoc3Rows(world, company, docket, ids, held.includes("Active"), day));
  }
  const repeated = world.shares.oddity(0.02, world.shares.inMotus);
  repeatSome(rows.carrier, createRandom(world.seed, life.index, 11), repeated);
  repeatSome(rows.authHist, createRandom(world.seed, life.index, 12), repeated);
  addBrokenRows(world, company, rows);
  addUnknownValues(world, company, rows, day);
  addMistakes(world, company, rows, day);
  return rows;
}

const statusOf = (actions: readonly Action[]): string | undefined =>
  actions.map(({ act }) => MOTUS_STATUS[act]).findLast((status) => status !== undefined);

function motusDocket({ prefix, number }: Docket, random: Random, hyphenChance: number): string {
  const hasHyphen = random.chance(hyphenChance);
  const isPadded = !hasHyphen && random.chance(0.5);
  if (number === undefined) return "";
  return hasHyphen ? `${prefix}-${number}` : prefix + String(number).padStart(isPadded ? 6 : 0, "0");
}

function repeatSome(rows: string[][], random: Random, chance: number): void {
  for (const row of [...rows]) if (random.chance(chance)) rows.push(row);
}
