import type { Company } from "../companies/company.ts";
import { randomPhone } from "../companies/contacts.ts";
import { cityName, companyName, streetLine, tradeName } from "../companies/names.ts";
import type { Life } from "../histories/carrier-life.ts";
import type { World } from "../histories/world.ts";
import { createRandom } from "../random.ts";

/** The day of the company's last census edit, and whether it still has a census row. Some companies edit on each day. */
export function censusChanges(world: World, life: Life, day: number) {
  const random = createRandom(world.seed, life.index, 6);
  const since = day - world.firstDay;
  const firstEdit = 1 + Math.floor(random.next() / world.shares.edit);
  const cycleDays = Math.floor(1 / world.shares.edit);
  const edits = since < firstEdit ? 0 : 1 + Math.floor((since - firstEdit) / cycleDays);
  const editedDay = edits === 0 ? 0 : world.firstDay + firstEdit + (edits - 1) * cycleDays;
  const removedAfter = 1 + Math.floor(random.next() / world.shares.censusRemoval);
  const canBeRemoved = life.index > 0 && ["none", "lapsed", "never", "settled"].includes(life.plot);
  return {
    editedDay: editedDay > life.registeredDay ? editedDay : 0,
    isInCensus: !(canBeRemoved && since >= removedAfter),
  };
}

/**
 * The company after its last census edit: other trucks and drivers, after every second edit another phone, and sometimes
 * another address, e-mail address or name.
 */
export function withEdit(world: World, company: Company): Company {
  if (company.editedDay === 0) return company;
  const random = createRandom(world.seed, company.life.index, 100 + company.editedDay - world.firstDay);
  const units = Number(company.fleet.powerUnits);
  const phone = randomPhone(random, random.pick(company.place.areaCodes));
  const powerUnits = String(Math.max(1, units + random.pick([-2, -1, 1, 2, 3])));
  const contacts = random.chance(0.5)
    ? { ...company.contacts, phone, authorityPhone: phone }
    : company.contacts;
  const hasMoved = random.chance(0.2);
  const hasOtherMail = random.chance(0.15);
  const hasOtherName = random.chance(0.1);
  const hasOtherTrade = random.chance(0.15);
  const drivers = String(Number(powerUnits) + random.between(0, 2));
  return {
    ...company,
    fleet: { ...company.fleet, powerUnits, drivers: random.chance(0.5) ? drivers : company.fleet.drivers },
    contacts: hasOtherMail ? { ...contacts, email: otherMailbox(contacts.email) } : contacts,
    ...(hasMoved && { street: streetLine(random), city: cityName(random) }),
    ...(hasOtherName && { legalName: companyName(random, "carrier") }),
    ...(hasOtherTrade && { dbaName: tradeName(random, "carrier") }),
  };
}

const otherMailbox = (email: string): string => (email === "" ? "" : `new-${email}`);
