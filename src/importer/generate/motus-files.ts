import { type Authority, type Docket, isInMotus } from "./authorities.ts";
import type { Company } from "./company.ts";
import { motusHistoryRows } from "./motus-authhist.ts";
import { motusCarrierRow } from "./motus-carrier.ts";
import { MOTUS_STATUS } from "./motus-terms.ts";
import { createRandom, type Random } from "./random.ts";
import type { World } from "./world.ts";

/** What Motus holds about a company: rows of the Carrier file and of the AuthHist file. */
interface MotusRows {
  carrier: string[][];
  authHist: string[][];
}

/** The company's rows in both Motus files on `day`, the repeats that these files are full of included. */
export function motusRows(world: World, company: Company, day: number): MotusRows {
  const rows: MotusRows = { carrier: [], authHist: [] };
  const docket = company.dockets[0];
  if (docket === undefined || !isInMotus(world, company.life, docket, day)) return rows;
  const random = createRandom(world.seed, company.life.index, 10);
  const number = motusDocket(docket, random, world.shares.oddity(0.01, world.shares.inMotus));
  docket.authorities.forEach((authority, at) => {
    // Motus often holds one authority of a company and leaves the other to the legacy files.
    if (at > 0 && random.chance(0.3)) return;
    const status = statusOf(authority);
    if (status === undefined) return;
    const ids = [number, String(company.dotNumber)];
    rows.carrier.push(motusCarrierRow(world, company, authority, ids, status));
    rows.authHist.push(...motusHistoryRows(world, company, authority, ids));
  });
  repeatSome(
    rows.carrier,
    createRandom(world.seed, company.life.index, 11),
    world.shares.oddity(0.02, world.shares.inMotus),
  );
  repeatSome(
    rows.authHist,
    createRandom(world.seed, company.life.index, 12),
    world.shares.oddity(0.02, world.shares.inMotus),
  );
  return rows;
}

function statusOf({ actions }: Authority): string | undefined {
  return actions.map(({ act }) => MOTUS_STATUS[act]).findLast((status) => status !== undefined);
}

function motusDocket({ prefix, number }: Docket, random: Random, hyphenChance: number): string {
  if (random.chance(hyphenChance)) return `${prefix}-${number}`;
  return prefix + (random.chance(0.5) ? String(number).padStart(6, "0") : String(number));
}

function repeatSome(rows: string[][], random: Random, chance: number): void {
  for (const row of [...rows]) if (random.chance(chance)) rows.push(row);
}
