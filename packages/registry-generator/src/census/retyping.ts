import type { Company } from "../companies/company.ts";
import type { World } from "../histories/world.ts";
import { createRandom, type Random } from "../random.ts";

/** Companies that are retyped on a day, for each company that edits its data. */
const PER_EDIT = 0.12;

/**
 * The company as somebody typed it again: name, street and phone in another form that means the same. A few companies
 * are retyped each day, and later typed as before.
 */
export function withRetyping(world: World, company: Company, day: number): Company {
  const random = createRandom(world.seed, company.life.index, 29);
  const share = world.shares.edit * PER_EDIT;
  const cycleDays = Math.floor(1 / share);
  const first = 1 + Math.floor(random.next() / share);
  const since = day - world.firstDay;
  const isRetyped = since >= first && Math.floor((since - first) / cycleDays) % 2 === 0;
  // The registry's own tests are known by a word in capitals.
  if (!isRetyped || /\bTEST\b/.test(company.legalName)) return company;
  const { legalName, dbaName, street, contacts } = company;
  const [phone, authorityPhone] = [contacts.phone, contacts.authorityPhone].map((number) =>
    phoneForm(number, random),
  ) as [string, string];
  return {
    ...company,
    legalName: capitalised(legalName).replace(/,? (Llc|Inc|Corp|Co)\.?$/, ", $1."),
    dbaName: dbaName.replaceAll(" ", random.pick([" ", "-", "  "])),
    street: capitalised(street).replace(/ (St|Ave|Rd|Dr|Ln|Blvd|Ct|Hwy)\b/, " $1."),
    contacts: { ...contacts, phone, authorityPhone },
  };
}

const capitalised = (text: string): string =>
  text.replace(/[A-Z]+/g, (word) => word.slice(0, 1) + word.slice(1).toLowerCase());

function phoneForm(phone: string, random: Random): string {
  const [area, exchange, line] = [phone.slice(0, 3), phone.slice(3, 6), phone.slice(6)];
  const form = random.pick([`(${area}) ${exchange}-${line}`, `${area}.${exchange}.${line}`, `1${phone}`]);
  return /^[2-9]\d{9}$/.test(phone) ? form : phone;
}
