import type { Company } from "../companies/company.ts";
import { pickAgent } from "../companies/process-agents.ts";
import type { World } from "../histories/world.ts";
import type { Random } from "../random.ts";

/** The 9 columns of the legacy BOC3 file. */
export const LEGACY_BOC3_COLUMNS: readonly string[] =
  "DOCKET_NUMBER DOT_NUMBER CO_NAME ATTN_TO_OR_TITLE STREET_PO CITY STATE_CODE CTRY_CODE ZIP_CODE".split(" ");

/** A docket's row: every docket has one, and 1.43 of 1.86 million name an agent. */
export function legacyBoc3Row(
  world: World,
  company: Company,
  ids: readonly string[],
  isActive: boolean,
  random: Random,
): string[] {
  const { dbaName } = company;
  const agent = pickAgent(world, random);
  const [isFiled, hasTitle] = [random.chance(isActive ? 0.985 : 0.7), random.chance(0.2)];
  if (!isFiled) return [...ids, ...new Array<string>(LEGACY_BOC3_COLUMNS.length - ids.length).fill("")];
  const title = hasTitle ? `ATTN: ${dbaName || "LEGAL DEPARTMENT"}` : " ";
  return [...ids, agent.name, title, agent.street, agent.city, agent.state, agent.country, agent.zip];
}
