import type { Authority } from "./authorities.ts";
import type { Company } from "./company.ts";
import { compactDay } from "./dates.ts";
import { withHyphen } from "./motus-oddities.ts";
import { motusType } from "./motus-terms.ts";
import { createRandom } from "./random.ts";
import { NOTICE_DAYS } from "./shares.ts";
import type { World } from "./world.ts";

/** The 6 columns of the Motus RevokeSuspend file. */
export const MOTUS_REVOKESUSPEND_COLUMNS: readonly string[] =
  "DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE ORDER1_SERVE_DATE ORDER1_TYPE_DESC ORDER1_EFFECTIVE_DATE".split(
    " ",
  );

const INVOLUNTARY = "Operating Authority Involuntary Suspension Notice";
const VOLUNTARY = "Operating Authority Voluntary Suspension Notice";

/** An authority's notices served by `day`: native ones, and proceedings of the legacy registry in capitals. */
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
      const dates = [compactDay(action.day), text, compactDay(action.day + NOTICE_DAYS)];
      add([isBare ? "" : hyphened, isNameless && !isBare ? "0" : usdot, type, ...dates]);
      // A second notice dated ahead: it has not been served yet.
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

const isHeldBefore = ({ plan }: Authority, at: number): boolean =>
  plan.slice(0, at).some(({ act }) => act === "granted");

const mailbox = ({ contacts, life }: Company): string =>
  contacts.email || `owner${life.index}@mailbox.example`;
