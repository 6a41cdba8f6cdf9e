import type { World } from "../histories/world.ts";
import { createRandom, type Random } from "../random.ts";
import type { Place } from "./states.ts";

/** A company's contacts as it filed them; "" for a field that it left out. */
export interface Contacts {
  phone: string;
  /** The phone in the authority files: the same, or the company's only one when the census has none. */
  authorityPhone: string;
  cellPhone: string;
  fax: string;
  email: string;
}

const TOLL_FREE = ["800", "833", "844", "855", "866", "877", "888"];
const PLACEHOLDERS = ["0000000000", "1112223333", "1234567890", "9999999999", "4040000000", "2025555555"];
const MAIL_WORDS = ["dispatch", "office", "info", "safety", "ops", "admin"];

/** Random contacts. Many companies have an agent's contact, which a feed must not show. */
export function contactsOf(
  world: World,
  random: Random,
  place: Place,
  company: { index: number; name: string; emailShare: number },
): Contacts {
  const agent = random.chance(0.012) ? agentOf(world, random.between(0, world.shares.agents - 1)) : undefined;
  const ownPhone = oddPhone(world, random, randomPhone(random, random.pick(place.areaCodes)));
  const cell = random.chance(0.3) ? ownPhone : randomPhone(random, random.pick(place.areaCodes));
  const hasPhone = random.chance(0.966);
  const hasCell = random.chance(0.433);
  const fax = random.chance(0.261) ? randomPhone(random, random.pick(place.areaCodes)) : "";
  const hasEmail = random.chance(company.emailShare);
  const email = hasEmail ? `${random.pick(MAIL_WORDS)}@${mailDomain(company)}` : "";
  const phone = agent && random.chance(0.7) ? agent.phone : hasPhone ? ownPhone : "";
  return {
    phone,
    authorityPhone: phone || phoneUnknownToCensus(world, company.index, ownPhone),
    cellPhone: hasCell ? (agent && random.chance(0.3) ? agent.phone : cell) : "",
    fax,
    email: agent && random.chance(0.7) ? agent.email : email,
  };
}

/** Ten digits with the given area code; the exchange is never one of the service codes such as 911. */
export function randomPhone(random: Random, areaCode: string): string {
  let exchange = random.between(200, 999);
  if (exchange % 100 === 11) exchange += 1;
  return `${areaCode}${exchange}${String(random.between(0, 9999)).padStart(4, "0")}`;
}

function oddPhone(world: World, random: Random, phone: string): string {
  const { oddity } = world.shares;
  const draw = random.next();
  const placeholder = oddity(0.002, 1);
  const leadingOne = placeholder + oddity(0.003, 1);
  const tooShort = leadingOne + oddity(0.0063, 1);
  if (draw < placeholder) return random.pick(PLACEHOLDERS);
  if (draw < leadingOne) return `1${phone}`;
  if (draw < tooShort) return phone.slice(0, random.between(3, 9));
  if (draw < tooShort + 0.01) return `${random.pick(TOLL_FREE)}${phone.slice(3)}`;
  return phone;
}

/** One agent is never in the census: only the authority files show how often its phone is used. */
function phoneUnknownToCensus(world: World, index: number, ownPhone: string): string {
  const draw = createRandom(world.seed, index, 27).next();
  if (draw < 0.45) return agentOf(world, world.shares.agents).phone;
  return draw < 0.85 ? ownPhone : "";
}

/** Filing services write their own phone and address on their clients' forms. */
function agentOf(world: World, agent: number): { phone: string; email: string } {
  const random = createRandom(world.seed, agent, 20);
  return {
    phone: randomPhone(random, random.pick(["405", "213", "956", "860", "773"])),
    email: `filings@permit-desk-${agent + 1}.example`,
  };
}

const mailDomain = ({ index, name }: { index: number; name: string }): string =>
  `${name
    .split(" ")
    .slice(0, 2)
    .join("-")
    .toLowerCase()
    .replace(/[^a-z-]/g, "")}-${index}.example`;
