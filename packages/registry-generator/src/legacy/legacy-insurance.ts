import { americanDay } from "../histories/dates.ts";
import type { Ledger } from "../histories/policies.ts";
import type { Ending, Policy } from "../histories/policy.ts";
import type { World } from "../histories/world.ts";
import type { Random } from "../random.ts";

/** The 11 columns of the legacy ActPendInsur file. */
export const LEGACY_ACTPENDINSUR_COLUMNS: readonly string[] = (
  "DOCKET_NUMBER DOT_NUMBER ins_form_code ins_type_desc name_company policy_no trans_date underl_lim_amount " +
  "max_cov_amount effective_date cancl_effective_date"
).split(" ");

/** A docket's rows in the three insurance files. */
export interface LegacyInsurance {
  insur: string[][];
  actPendInsur: string[][];
  insHist: string[][];
}

/** An authority's policies at the end of the legacy registry: policies in force and policies that had ended. */
export function legacyInsurance(
  world: World,
  ledger: Ledger,
  ids: string[],
  random: Random,
): LegacyInsurance {
  const end = world.legacyEnd;
  const rows: LegacyInsurance = { insur: [], actPendInsur: [], insHist: [] };
  for (const policy of ledger.policies) {
    const filed = policy.filings.findLast((day) => day <= end);
    if (filed === undefined) continue;
    for (const ending of policy.endings) {
      if (ending.reportedOn > end || ending.on > end || !random.chance(world.shares.endingsOnRecord))
        continue;
      const row = endedRow(ledger, policy, ending, ids, random);
      const copies = random.chance(0.12) ? random.between(2, 3) : 1;
      for (let copy = 0; copy < copies; copy += 1) rows.insHist.push(row);
    }
    if (policy.until !== undefined && policy.until <= end) continue;
    const { cover, number } = policy;
    const known = policy.endings.find(({ reportedOn, on }) => reportedOn <= end && on > end);
    const limits = cover.type === "1" ? [thousands(cover.coverage), thousands(cover.underlying)] : ["0", "0"];
    const padded = limits.map((limit) => limit.padStart(5, "0"));
    const effective = americanDay(policy.effective);
    const insurer = policy.insurer.toUpperCase();
    const terms = [...padded, number, effective, cover.form, insurer];
    rows.insur.push([ids[0] ?? "", cover.type, cover.class, ...terms]);
    rows.actPendInsur.push([
      ...ids,
      cover.form,
      typeText(policy),
      insurer,
      number,
      americanDay(filed),
      ...limits.toReversed(),
      effective,
      known ? americanDay(known.on) : "",
    ]);
  }
  return rows;
}

/** Field 9 of the 17 of InsHist is a number without quotes. */
export const LEGACY_INSHIST_BARE_COLUMNS = [8];

const METHODS: Record<Ending["how"], readonly [general: string, form: string, method: string]> = {
  cancelled: ["Cancelled", "35", "CANCEL"],
  replaced: ["Replaced", "", "TERM/REPL"],
  renamed: ["Name change", "NC", "NAMECHG"],
  transferred: ["Transferred", "TR", "TRANSFER"],
};

function endedRow(
  { needs }: Ledger,
  policy: Policy,
  ending: Ending,
  ids: string[],
  random: Random,
): string[] {
  const { cover } = policy;
  const [general, form, method] = METHODS[ending.how];
  const cancelForm = { "1": form, "2": form, "3": "36", "4": "85C" }[cover.type];
  const isLiability = cover.type === "1";
  const effective = random.chance(0.0003)
    ? americanDay(policy.effective).slice(0, 6) + random.pick(["0189", "2044", "2517"])
    : americanDay(policy.effective);
  return [
    ids[0] ?? "",
    random.chance(0.002) ? "" : (ids[1] ?? ""),
    cover.form,
    general,
    ending.how === "replaced" ? cover.form : form === "35" ? cancelForm : form,
    isLiability ? (random.chance(0.8) ? " " : "") : "*",
    typeText(policy),
    policy.number,
    thousands(Math.max(needs.minimum, 750_000)),
    cover.class,
    effective,
    isLiability ? thousands(cover.underlying) : "0",
    isLiability ? thousands(cover.coverage) : "0",
    americanDay(ending.on),
    method,
    "00",
    policy.insurer.toUpperCase(),
  ];
}

function typeText({ cover }: Policy): string {
  if (cover.type === "1")
    return { P: "BIPD/Primary", E: "BIPD/Excess", "1": "BIPD", "2": "BIPD", "": "BIPD" }[cover.class];
  return { "2": "CARGO", "3": "SURETY", "4": "TRUST FUND" }[cover.type];
}

const thousands = (dollars: number): string => String(Math.round(dollars / 1000));
