import type { Company } from "../companies/company.ts";
import type { Authority } from "../histories/authorities.ts";
import { compactDay } from "../histories/dates.ts";
import type { World } from "../histories/world.ts";
import { createRandom } from "../random.ts";
import { NOTICE_DAYS } from "../shares.ts";
import { withHyphen } from "./motus-oddities.ts";
import { motusType } from "./motus-terms.ts";

/** The 6 columns of the Motus RevokeSuspend file. */
export const MOTUS_REVOKESUSPEND_COLUMNS: readonly string[] =
  "DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE ORDER1_SERVE_DATE ORDER1_TYPE_DESC ORDER1_EFFECTIVE_DATE".split(
    " ",
  );

const INVOLUNTARY = "Operating Authority Involuntary Suspension Notice";
const VOLUNTARY = "Operating Authority Voluntary Suspension Notice";

/** An authority's notices served by `day`: those of Motus, and proceedings of the legacy registry in capitals. */
export function motusNoticeRows(
  world: World,
  company: Company,
  authority: Authority,
  docket: string,
  isInMotus: boolean,
  day: number,
): string[][] {
  const { shares, seed, legacyEnd } = world;
  const type = motusType(company, authority);
  const usdot = String(company.dotNumber);
  const hyphened = withHyphen(docket);
  const rows: string[][] = [];
  authority.plan.forEach((action, at) => {
    const random = createRandom(seed, company.life.index, 4_500_000 + authority.slot * 100_000 + action.day);
    const isOdd = () => random.chance(shares.oddity(0.004, shares.inMotus * 0.5));
    const [isEarly, isNameless, isBare] = [isOdd(), isOdd(), isOdd()];
    const [hasEmail, isTwice, isCarried] = [
      isOdd(),
      random.chance(0.06),
      random.chance(shares.noticesCarried),
    ];
    const add = (row: string[]) => rows.push(row, ...(isTwice ? [row] : []));
    if (action.act === "withdrawn" && isHeldBefore(authority, at) && random.chance(0.6)) {
      const served = action.day - NOTICE_DAYS;
      const text = hasEmail ? `${VOLUNTARY} - asked for by ${mailbox(company)}` : VOLUNTARY;
      if (served > legacyEnd && served <= day)
        add(["", usdot, type, compactDay(served), text, compactDay(action.day)]);
    } else if (action.act === "proceeding_opened" && action.day > legacyEnd && action.day <= day) {
      const text = hasEmail ? `${INVOLUNTARY} (${mailbox(company)})` : INVOLUNTARY;
      const odd = oddNotice(world, company, authority, at);
      const served = odd.served ?? compactDay(action.day);
      const dates = [served, text, compactDay(action.day + NOTICE_DAYS)];
      add([isBare ? "" : hyphened, isNameless && !isBare && docket !== "" ? "0" : usdot, type, ...dates]);
      if (odd.second && action.day + odd.second.later <= day) {
        const { later, term } = odd.second;
        add([hyphened, usdot, type, compactDay(action.day + later), text, compactDay(action.day + term)]);
      }
      // A second notice with a future date: it has not been served yet.
      if (isEarly)
        add([hyphened, usdot, type, compactDay(action.day + 400), text, compactDay(action.day + 430)]);
    } else if (action.act === "proceeding_opened" && action.day <= legacyEnd && isInMotus && isCarried) {
      const effective = action.day + (random.chance(0.03) ? -random.between(1, 97) : random.between(30, 36));
      const oldType = type.startsWith("Broker") && random.chance(0.3) ? "Broker" : type;
      const served = isEarly ? `2517${compactDay(action.day).slice(4)}` : compactDay(action.day);
      add([
        hyphened,
        isNameless ? "0" : usdot,
        oldType,
        served,
        "INVOLUNTARY REVOCATION",
        compactDay(effective),
      ]);
    }
  });
  return rows;
}

interface OddNotice {
  /** Replacement of its serve date: nothing, an impossible day, or a future day. */
  served?: string;
  /** A second order on the same authority: days from the first one's service to its own service and its effect. */
  second?: { later: number; term: number };
}

/** The oddity of a notice, action `at` of a plan; mostly none. Notices that take effect keep their serve date. */
function oddNotice({ shares }: World, { life }: Company, { plan }: Authority, at: number): OddNotice {
  if (life.plot !== "suspending") return {};
  const rank = Math.floor(life.fraction * shares.companiesOf("suspending"));
  const [turn, step] = [Math.floor(rank / shares.oddNotices), rank % shares.oddNotices];
  const day = plan[at]?.day ?? 0;
  const isCured = ["proceeding_dropped", "reinstated"].includes(plan[at + 1]?.act ?? "");
  if (step === 3 && isCured)
    return {
      served: ["", "00000000", `0189${compactDay(day).slice(4)}`, compactDay(day + 365)][turn % 4] ?? "",
    };
  if (step === (isCured ? 5 : 2))
    return {
      second: turn % 2 === 0 ? { later: 2, term: NOTICE_DAYS + 2 } : { later: 0, term: NOTICE_DAYS + 3 },
    };
  return {};
}

const isHeldBefore = ({ plan }: Authority, at: number): boolean =>
  plan.slice(0, at).some(({ act }) => act === "granted");

const mailbox = ({ life }: Company): string => `owner${life.index}@mailbox.example`;
