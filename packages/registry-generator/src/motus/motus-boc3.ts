import type { Company } from "../companies/company.ts";
import { pickAgent } from "../companies/process-agents.ts";
import type { Docket } from "../histories/authorities.ts";
import type { World } from "../histories/world.ts";
import { createRandom } from "../random.ts";

/** The 8 columns of the Motus BOC3 file. */
export const MOTUS_BOC3_COLUMNS: readonly string[] =
  "DOCKET_NUMBER USDOT_NUMBER CO_NAME STREET_PO CITY STATE_CODE ZIP_CODE CTRY_CODE".split(" ");

/** A filing is sometimes cancelled and filed again some days later. */
const GAP_DAYS = 15;

/** A docket's process agent on `day`; none if it never filed one, or if the filing is cancelled. */
export function motusBoc3Rows(
  world: World,
  company: Company,
  docket: Docket,
  ids: readonly [docket: string, usdot: string],
  isActive: boolean,
  day: number,
): string[][] {
  const random = createRandom(world.seed, company.life.index, 33 + company.dockets.indexOf(docket));
  const agent = pickAgent(world, random);
  const isFiled = random.chance(isActive ? 0.985 : 0.8);
  const gapFrom = random.chance(0.04) ? world.firstDay + random.between(-10, 30) : null;
  const [isWithoutDocket, isWithoutAgent, isTwice] = [
    random.chance(world.shares.oddity(0.002, world.shares.inMotus)),
    random.chance(0.01),
    random.chance(0.02),
  ];
  const isInGap = gapFrom !== null && day >= gapFrom && day < gapFrom + GAP_DAYS;
  if (!isFiled || isInGap) return [];
  const [number, usdot] = ids;
  const row = [
    isWithoutDocket ? "" : number,
    usdot,
    isWithoutAgent ? " " : agent.name,
    agent.street,
    agent.city,
    agent.state,
    agent.zip,
    agent.country,
  ];
  return isTwice ? [row, row] : [row];
}
