import { retyped } from "../companies/insurers.ts";
import { compactDay } from "../histories/dates.ts";
import type { Ledger } from "../histories/policies.ts";
import type { Ending, Policy } from "../histories/policy.ts";
import { hasHistoryMoved, type World } from "../histories/world.ts";
import { createRandom } from "../random.ts";
import { dollars } from "./motus-insur.ts";
import { withHyphen, withStrangeYear } from "./motus-oddities.ts";

/** The 15 columns of the Motus InsHist file. */
export const MOTUS_INSHIST_COLUMNS: readonly string[] = (
  "DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE FILING_STATUS_REASON INS_TYPE_CODE INS_TYPE_IND POLICY_NO INS_TYPE_DESC " +
  "MIN_COV_AMOUNT INS_CLASS_CODE EFFECTIVE_DATE UNDERL_LIM_AMOUNT MAX_COV_AMOUNT CANCL_EFFECTIVE_DATE " +
  "INSURANCE_COMPANY_NAME"
).split(" ");

const REASONS: Record<Ending["how"], string> = {
  cancelled: "CANCEL",
  replaced: "TERM/REPL",
  renamed: "NAMECHG",
  transferred: "TRANSFER",
};
const TYPES = { "1": "BIPD", "2": "Cargo", "3": "Surety", "4": "Trust" };
/** A third of the file's rows repeat another row. */
const COPIES = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3];

/** The rows of a policy's ends that were reported by `day`; only some of those before the cut-over. */
export function motusInshistRows(
  world: World,
  index: number,
  { needs }: Ledger,
  policy: Policy,
  ids: readonly [docket: string, usdot: string],
  isInMotus: boolean,
  day: number,
): string[][] {
  const { cover, insurer } = policy;
  const rows: string[][] = [];
  for (const ending of policy.endings) {
    const random = createRandom(world.seed, index, policy.topic + 2_000_000 + ending.on);
    const isNative = ending.on > world.legacyEnd;
    // Always drawn, so that later draws stay the same when the company comes into Motus.
    const isChosen = random.chance(world.shares.endingsCarried);
    const isCarried = (isChosen || hasHistoryMoved(world, day)) && isInMotus;
    const fate = random.next();
    const isStrange = random.chance(world.shares.oddity(0.001, world.shares.inMotus));
    const [docket, usdot] = [
      random.chance(0.3) ? withHyphen(ids[0]) : ids[0],
      !isNative && random.chance(0.1) ? "0" : ids[1],
    ];
    const email = random.chance(world.shares.oddity(0.002, world.shares.inMotus));
    const number = random.chance(0.5) ? retyped(policy.number) : policy.number;
    const copies = COPIES[random.between(0, COPIES.length - 1)] ?? 1;
    if (ending.reportedOn > day || !(isNative || isCarried)) continue;
    // Most policies that ended before the cut-over have no day.
    const endedOn = !isNative && fate < 0.8 ? "" : compactDay(ending.on);
    const reason = !isNative && ending.how === "cancelled" && fate > 0.5 ? "Cancelled" : REASONS[ending.how];
    const row = [
      docket,
      usdot,
      `BMC-${cover.form}`,
      reason,
      cover.type,
      cover.type === "1" ? " " : "*",
      number,
      cover.class === "E" ? "BIPD/Excess" : TYPES[cover.type],
      dollars(needs.minimum),
      cover.class,
      isStrange ? withStrangeYear(policy.effective, random) : compactDay(policy.effective),
      dollars(cover.underlying),
      dollars(cover.coverage),
      endedOn,
      email ? `${insurer} (filings@mailbox.example)` : insurer,
    ];
    for (let copy = 0; copy < copies; copy += 1) rows.push(row);
  }
  return rows;
}
