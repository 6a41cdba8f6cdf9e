import type { Company } from "./company.ts";
import { legacyHistoryRows } from "./legacy-authhist.ts";
import { legacyCarrierRow } from "./legacy-carrier.ts";
import { createRandom } from "./random.ts";
import type { World } from "./world.ts";

/** What the legacy files hold about a company: rows of the Carrier file and of the AuthHist file. */
interface LegacyRows {
  carrier: string[][];
  authHist: string[][];
}

/** The company's rows in both legacy files, which end on `world.legacyEnd` whatever the day. */
export function legacyRows(world: World, company: Company): LegacyRows {
  const rows: LegacyRows = { carrier: [], authHist: [] };
  const random = createRandom(world.seed, company.life.index, 16);
  company.dockets.forEach((docket, at) => {
    const known = docket.authorities.map((authority) => ({
      ...authority,
      actions: authority.actions.filter(({ day }) => day <= world.legacyEnd),
    }));
    if (!known.some(({ actions }) => actions.length > 0)) return;
    const nameless = random.chance(world.shares.oddity(0.0005, 0.4));
    const dot = nameless ? "00000000" : String(company.dotNumber).padStart(8, "0");
    const ids = [`${docket.prefix}${String(docket.number).padStart(6, "0")}`, dot];
    rows.carrier.push(legacyCarrierRow(company, docket, known, ids, random));
    const history = createRandom(world.seed, company.life.index, 17 + at);
    for (const authority of known) rows.authHist.push(...legacyHistoryRows(world, authority, ids, history));
  });
  return rows;
}
