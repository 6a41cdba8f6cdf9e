import { censusChanges, withEdit } from "../census/census-edits.ts";
import { withRetyping } from "../census/retyping.ts";
import { type Docket, docketsOf } from "../histories/authorities.ts";
import { type Life, lifeOf } from "../histories/carrier-life.ts";
import type { World } from "../histories/world.ts";
import { createRandom, pickWeighted, type Random } from "../random.ts";
import type { Plot } from "../shares.ts";
import { countyOf, zipOf } from "./addresses.ts";
import type { Company } from "./company.ts";
import { contactsOf } from "./contacts.ts";
import { fleetOf } from "./fleet.ts";
import { cityName, companyName, personName, streetLine, type Trade, tradeName } from "./names.ts";
import { registryOwnRecord, withOddName } from "./odd-names.ts";
import { relationsOf, withRelation } from "./relations.ts";

const ACTIVE_SHARE: Record<Plot, number> = {
  settled: 0.97,
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

/** Company `index` on `day`, derived only from the world and these two numbers. */
export function companyOf(world: World, index: number, day: number): Company {
  const life = lifeOf(world, index);
  const random = createRandom(world.seed, index, 3);
  const place = pickWeighted(random, world.places, world.placesWeight);
  const dockets = docketsOf(world, life, place.country, day);
  const isPerson = random.chance(life.plot === "none" ? 0.35 : 0.12);
  const officer = random.chance(0.855) || isPerson ? personName(random) : "";
  const legalName = isPerson ? officer : companyName(random, tradeOf(dockets, life));
  const county = countyOf(world.counties, place, random);
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
  const edited = withEdit(world, withOddName(world, company));
  const relation = world.hasRelations ? relationsOf(world).get(index) : undefined;
  const related =
    relation === undefined || relation.lead === index
      ? edited
      : withRelation(edited, relation, companyOf(world, relation.lead, day), world.seed);
  return withRetyping(world, related, day);
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

function statusOf(world: World, { plot }: Life, random: Random): Company["statusCode"] {
  if (plot === "none" && random.chance(world.shares.oddity(0.00036, 0.6))) return "P";
  return random.chance(ACTIVE_SHARE[plot]) ? "A" : "I";
}
