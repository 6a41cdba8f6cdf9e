import { type Docket, docketsOf } from "./authorities.ts";
import { type Life, lifeOf } from "./carrier-life.ts";
import { type Contacts, contactsOf, randomPhone } from "./contacts.ts";
import { type Fleet, fleetOf } from "./fleet.ts";
import { cityName, companyName, personName, streetLine, type Trade, tradeName } from "./names.ts";
import { createRandom, pickWeighted, type Random } from "./random.ts";
import type { Plot } from "./shares.ts";
import type { Place } from "./states.ts";
import type { World } from "./world.ts";

/** One company as all five files see it on one day. */
export interface Company {
  life: Life;
  dotNumber: number;
  place: Place;
  legalName: string;
  dbaName: string;
  officer: string;
  isPerson: boolean;
  street: string;
  city: string;
  zip: string;
  /** County code within the state, `000` when unknown, "" outside the United States. */
  county: string;
  contacts: Contacts;
  fleet: Fleet;
  statusCode: "A" | "I" | "P";
  dockets: readonly Docket[];
  /** The day of the last census edit, 0 before the first. */
  editedDay: number;
  isInCensus: boolean;
  /** Its census and legacy lines are in Latin-1 instead of UTF-8. */
  isLatin1: boolean;
}

const ACTIVE_SHARE: Record<Plot, number> = {
  standing: 0.97,
  suspending: 0.98,
  leaving: 0.96,
  applicant: 1,
  carried: 0.98,
  broker: 0.97,
  forwarder: 0.97,
  lapsed: 0.25,
  never: 0.3,
  none: 0.55,
};
const HIGHEST_USDOT = 4_480_000;

/** Company `index` on `day`, from nothing but the world and these two numbers. */
export function companyOf(world: World, index: number, day: number): Company {
  const life = lifeOf(world, index);
  const random = createRandom(world.seed, index, 3);
  const place = pickWeighted(random, world.places, world.placesWeight);
  const dockets = docketsOf(world, life, place.country, day);
  const isPerson = random.chance(life.plot === "none" ? 0.35 : 0.12);
  const officer = random.chance(0.855) || isPerson ? personName(random) : "";
  const legalName = isPerson ? officer : companyName(random, tradeOf(dockets, life));
  const county = countyOf(world, place, random);
  const base = {
    life,
    dotNumber: dotNumberOf(world, life),
    place,
    legalName,
    dbaName: random.chance(0.265) ? tradeName(random, tradeOf(dockets, life)) : "",
    officer,
    isPerson,
    street: streetLine(random),
    city: cityName(random),
    zip: zipOf(place, random),
    county,
    statusCode: statusOf(world, life, random),
    dockets,
    isLatin1: false,
  };
  const emailShare = life.plot === "none" || life.plot === "lapsed" ? 0.4 : 0.85;
  const contacts = contactsOf(world, createRandom(world.seed, index, 4), place, {
    index,
    name: legalName,
    emailShare,
  });
  const fleet = fleetOf(createRandom(world.seed, index, 5), life.plot, world.shares.oddity(0.0002, 0.5));
  const changes = censusChanges(world, life, day);
  const company: Company = { ...base, contacts, fleet, ...changes };
  if (index === 0) return registryOwnRecord(company);
  return withEdit(world, withOddName(world, company));
}

function dotNumberOf(world: World, { plot, registeredDay, index }: Life): number {
  if (plot === "applicant" && registeredDay > world.legacyEnd)
    return Math.max(7_000_000, world.carriers * 2) + index;
  if (index === 0) return 1;
  const step = Math.max(1, Math.floor(HIGHEST_USDOT / (world.carriers + 1)));
  return index * step + 3;
}

function tradeOf(dockets: readonly Docket[], { plot }: Life): Trade {
  const kind = dockets[0]?.authorities[0]?.kind;
  if (kind === "household" || kind === "passengers") return kind;
  if (kind === "broker" || kind === "forwarder") return "broker";
  return plot === "none" ? "other" : "carrier";
}

function countyOf(world: World, place: Place, random: Random): string {
  if (place.country !== "US") return "";
  const counties = world.counties.get(place.code);
  if (counties === undefined) return "010";
  return random.chance(0.01) ? "000" : random.pick(counties);
}

function zipOf(place: Place, random: Random): string {
  const number = String(random.between(...place.zip));
  if (place.country === "CA") {
    const letter = () => String.fromCharCode(65 + random.between(0, 7));
    return `${place.postalLetter}${number}${letter()} ${random.between(1, 9)}${letter()}${random.between(1, 9)}`;
  }
  const zip = number.padStart(5, "0");
  return random.chance(0.2) ? `${zip}-${String(random.between(1, 9999)).padStart(4, "0")}` : zip;
}

function statusOf(world: World, { plot }: Life, random: Random): Company["statusCode"] {
  if (plot === "none" && random.chance(world.shares.oddity(0.00036, 0.6))) return "P";
  return random.chance(ACTIVE_SHARE[plot]) ? "A" : "I";
}

/** When the company last edited its census row, and whether it still has one: some change each day, each in its turn. */
function censusChanges(world: World, life: Life, day: number) {
  const random = createRandom(world.seed, life.index, 6);
  const since = day - world.firstDay;
  const firstEdit = 1 + Math.floor(random.next() / world.shares.edit);
  const cycleDays = Math.floor(1 / world.shares.edit);
  const edits = since < firstEdit ? 0 : 1 + Math.floor((since - firstEdit) / cycleDays);
  const editedDay = edits === 0 ? 0 : world.firstDay + firstEdit + (edits - 1) * cycleDays;
  const goneAfter = 1 + Math.floor(random.next() / world.shares.gone);
  const canGo = life.index > 0 && ["none", "lapsed", "never", "standing"].includes(life.plot);
  return {
    editedDay: editedDay > life.registeredDay ? editedDay : 0,
    isInCensus: !(canGo && since >= goneAfter),
  };
}

function withEdit(world: World, company: Company): Company {
  if (company.editedDay === 0) return company;
  const random = createRandom(world.seed, company.life.index, 100 + company.editedDay - world.firstDay);
  const units = Number(company.fleet.powerUnits);
  const phone = randomPhone(random, random.pick(company.place.areaCodes));
  return {
    ...company,
    fleet: { ...company.fleet, powerUnits: String(Math.max(1, units + random.pick([-2, -1, 1, 2, 3]))) },
    contacts: random.chance(0.5) ? { ...company.contacts, phone } : company.contacts,
  };
}

/** Names as clumsy hands typed them: quotes, commas, double blanks, letters outside ASCII, the registry's own tests. */
function withOddName(world: World, company: Company): Company {
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

/** USDOT number 1 is the registry's own: an active record that is no carrier. */
const registryOwnRecord = (company: Company): Company => ({
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
