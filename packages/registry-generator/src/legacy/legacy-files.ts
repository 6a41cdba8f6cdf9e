import type { Company } from "../companies/company.ts";
import { ledgerOf } from "../histories/policies.ts";
import type { World } from "../histories/world.ts";
import { createRandom } from "../random.ts";
import { csvLine, quotedLine } from "../text-file.ts";
import { LEGACY_AUTHHIST_COLUMNS, legacyHistoryRows } from "./legacy-authhist.ts";
import { LEGACY_BOC3_COLUMNS, legacyBoc3Row } from "./legacy-boc3.ts";
import { legacyCarrierRow } from "./legacy-carrier.ts";
import {
  LEGACY_ACTPENDINSUR_COLUMNS,
  LEGACY_INSHIST_BARE_COLUMNS,
  legacyInsurance,
} from "./legacy-insurance.ts";
import { LEGACY_REVOCATION_COLUMNS, legacyRevocationRows } from "./legacy-revocation.ts";
import { legacyStatus } from "./legacy-status.ts";

/** The legacy files by dataset: those with columns are CSV, the others text without a header. */
export const LEGACY_FILES = {
  carrier: { name: "legacy_carrier.txt", columns: undefined, lineOf: (row) => quotedLine(row) },
  authHist: { name: "legacy_authhist.csv", columns: LEGACY_AUTHHIST_COLUMNS, lineOf: csvLine },
  revocation: { name: "legacy_revocation.csv", columns: LEGACY_REVOCATION_COLUMNS, lineOf: csvLine },
  insur: { name: "legacy_insur.txt", columns: undefined, lineOf: (row) => quotedLine(row) },
  actPendInsur: { name: "legacy_actpendinsur.csv", columns: LEGACY_ACTPENDINSUR_COLUMNS, lineOf: csvLine },
  insHist: {
    name: "legacy_inshist.txt",
    columns: undefined,
    lineOf: (row) => quotedLine(row, LEGACY_INSHIST_BARE_COLUMNS),
  },
  boc3: { name: "legacy_boc3.csv", columns: LEGACY_BOC3_COLUMNS, lineOf: csvLine },
} as const satisfies Record<
  string,
  { name: string; columns: readonly string[] | undefined; lineOf: (row: readonly string[]) => string }
>;

export type LegacyFile = keyof typeof LEGACY_FILES;

/** The company's rows in the legacy files, which end on `world.legacyEnd` on every day. */
export function legacyRows(world: World, company: Company): Record<LegacyFile, string[][]> {
  const rows: Record<LegacyFile, string[][]> = {
    carrier: [],
    authHist: [],
    revocation: [],
    insur: [],
    actPendInsur: [],
    insHist: [],
    boc3: [],
  };
  const random = createRandom(world.seed, company.life.index, 16);
  company.dockets.forEach((docket, at) => {
    const known = docket.authorities.map((authority) => ({
      ...authority,
      actions: authority.actions.filter(({ day }) => day <= world.legacyEnd),
    }));
    if (!known.some(({ actions }) => actions.length > 0)) return;
    const nameless = random.chance(world.shares.oddity(0.0005, 0.4));
    const dot = nameless ? "00000000" : String(company.dotNumber).padStart(8, "0");
    if (docket.number === undefined) return;
    const ids = [`${docket.prefix}${String(docket.number).padStart(6, "0")}`, dot];
    rows.carrier.push(legacyCarrierRow(company, docket, known, ids, random));
    const isActive = known.some((authority) => legacyStatus(authority) === "A");
    rows.boc3.push(
      legacyBoc3Row(world, company, ids, isActive, createRandom(world.seed, company.life.index, 35 + at)),
    );
    const history = createRandom(world.seed, company.life.index, 17 + at);
    const insurance = createRandom(world.seed, company.life.index, 21 + at);
    for (const authority of known) {
      rows.authHist.push(...legacyHistoryRows(world, authority, ids, history));
      rows.revocation.push(...legacyRevocationRows(world, authority, ids, insurance));
      const ledger = ledgerOf(world, company.life, authority, world.firstDay);
      const insured = legacyInsurance(world, ledger, ids, insurance);
      rows.insur.push(...insured.insur);
      rows.actPendInsur.push(...insured.actPendInsur);
      rows.insHist.push(...insured.insHist);
    }
  });
  return rows;
}
