import type { World } from "../histories/world.ts";
import { createRandom } from "../random.ts";
import type { Company } from "./company.ts";

/** Badly typed names: quotes, commas, double blanks, letters outside ASCII, the registry's own tests. */
export function withOddName(world: World, company: Company): Company {
  const random = createRandom(world.seed, company.life.index, 7);
  const { oddity } = world.shares;
  const { legalName, street } = company;
  const draw = random.next();
  const tests = oddity(0.00005, 0.5);
  const accents = tests + oddity(0.001, 0.4);
  const quotes = accents + oddity(0.003, 1);
  const blanks = quotes + 0.01;
  if (draw < tests) return { ...company, legalName: `TEST ${legalName}` };
  if (draw < accents)
    return { ...company, legalName: `TRANSPORTES PEÑA Y MUÑOZ ${legalName}`, isLatin1: random.chance(0.6) };
  if (draw < quotes) return { ...company, legalName: legalName.replace(" ", ' "BUDDY" ') };
  if (draw < blanks)
    return { ...company, legalName: legalName.replace(" ", "  "), street: street.replace(" ", "  ") };
  return random.chance(0.06) ? { ...company, legalName: legalName.replace(/ (LLC|INC)$/, ", $1.") } : company;
}

/** USDOT number 1 is the registry's own: an active record of no carrier. */
export const registryOwnRecord = (company: Company): Company => ({
  ...company,
  legalName: "FEDERAL MOTOR CARRIER SAFETY ADMINISTRATION",
  dbaName: "FMCSA TECHNOLOGY DIVISION",
  street: "1200 NEW JERSEY AVENUE SE",
  city: "WASHINGTON",
  zip: "20590",
  county: "001",
  place: { ...company.place, country: "US", code: "DC" },
  statusCode: "A",
  isInCensus: true,
});
