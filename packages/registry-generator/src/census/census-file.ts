import type { Company } from "../companies/company.ts";
import { fleetSize } from "../companies/fleet.ts";
import { compactDay } from "../histories/dates.ts";
import type { World } from "../histories/world.ts";
import { createRandom, type Random } from "../random.ts";
import { csvField } from "../text-file.ts";

const OTHER_CARGO = [
  "METALSHEET",
  "MOTOVEH",
  "BLDGMAT",
  "MACHLRG",
  "PRODUCE",
  "GRAINFEED",
  "COLDFOOD",
  "CONSTRUCT",
].map((cargo) => `CRGO_${cargo}`);

/** The fields of a company's line in a census file with these columns, quoted where necessary. */
export function censusFields(columns: readonly string[]): (world: World, company: Company) => string[] {
  const indexOf = new Map(columns.map((column, index) => [column, index]));
  // All but the two that go with the company's trade.
  const cargo = columns.filter((column) => /^CRGO_(?!GENFREIGHT|HOUSEHOLD|.*_DESC$)/.test(column));
  return (world, company) => {
    const row = new Array<string>(columns.length).fill("");
    const set: SetField = (column, value) => {
      row[indexOf.get(column) as number] = value;
    };
    setRegistered(world, company, set);
    setFiled(world, company, set, cargo);
    return row;
  };
}

type SetField = (column: string, value: string) => void;

function setRegistered(world: World, company: Company, set: SetField): void {
  const random = createRandom(world.seed, company.life.index, 9);
  const { place, fleet, contacts } = company;
  set("MCS150_DATE", updateDate(company, random));
  // Companies that register from the first day on have the true date: it shows the age of the file.
  const isDateLost = random.chance(0.0277) && company.life.index < world.carriers - 1;
  set("ADD_DATE", isDateLost ? "19740601" : compactDay(company.life.registeredDay));
  set("STATUS_CODE", company.statusCode);
  set("DOT_NUMBER", String(company.dotNumber));
  set("DUN_BRADSTREET_NO", "0");
  set("CARRIER_OPERATION", operation(company, random.next()));
  set("MCS150_UPDATE_CODE_ID", random.pick(["1", "2", "3"]));
  const isRevoked = random.chance(0.007);
  set("PRIOR_REVOKE_FLAG", isRevoked || company.predecessor ? "Y" : "N");
  set("PRIOR_REVOKE_DOT_NUMBER", String(company.predecessor ?? ""));
  set("PHONE", contacts.phone);
  set("FAX", contacts.fax);
  set("CELL_PHONE", contacts.cellPhone);
  set("COMPANY_OFFICER_1", company.officer.replace(" ", random.chance(0.2) ? "  " : " "));
  set(
    "TRUCK_UNITS",
    fleet.powerUnits === "" ? "" : String(Math.floor(Number(fleet.powerUnits) * random.next())),
  );
  set("POWER_UNITS", fleet.powerUnits);
  set("BUS_UNITS", "0");
  set("FLEETSIZE", fleetSize(fleet.powerUnits));
  set("CARSHIP", carship(company));
  company.dockets.slice(0, 3).forEach((docket, at) => {
    if (docket.number === undefined) return;
    set(`DOCKET${at + 1}PREFIX`, docket.prefix);
    set(`DOCKET${at + 1}`, String(docket.number));
    set(`DOCKET${at + 1}_STATUS_CODE`, random.chance(0.94) ? "A" : "I");
  });
  set("HM_Ind", random.chance(0.04) ? "Y" : "N");
  set("TOTAL_CDL", fleet.drivers);
  set("TOTAL_DRIVERS", fleet.drivers);
  set("CLASSDEF", classes(company, random.next()));
  set("LEGAL_NAME", csvField(company.legalName));
  set("DBA_NAME", csvField(company.dbaName));
  setAddress(set, company, random.chance(0.9) ? company.street : `P O BOX ${random.between(1, 9999)}`);
  set("EMAIL_ADDRESS", contacts.email);
  if (random.chance(0.02)) set("UNDELIV_PHY", "U");
  if (fleet.generalFreight) set("CRGO_GENFREIGHT", "X");
  if (company.dockets[0]?.authorities[0]?.kind === "household") set("CRGO_HOUSEHOLD", "X");
  if (random.chance(0.3)) set(random.pick(OTHER_CARGO), "X");
  if (random.chance(0.1)) {
    set("CRGO_CARGOOTHR", "X");
    set("CRGO_CARGOOTHR_DESC", random.pick(["GRAVEL", "TOOLS", "MULCH", '"DRY ICE, BOXED"']));
  }
  set("OWNTRUCK", fleet.powerUnits);
  if (place.country !== "US") set("PHY_NATIONALITY_INDICATOR", place.country);
}

/** The company's organisation, mileage and rating, and more cargo. These draws came later than the others. */
function setFiled(world: World, company: Company, set: SetField, cargo: readonly string[]): void {
  const random = createRandom(world.seed, company.life.index, 29);
  const [form, description] = organisation(company, random.next());
  set("BUSINESS_ORG_ID", form);
  set("BUSINESS_ORG_DESC", description);
  // Most old companies never filed a mileage: 0 miles in the year 0.
  const hasMiles = random.chance(company.life.plot === "none" ? 0.35 : 0.6);
  const miles = Number(company.fleet.powerUnits) * random.between(20_000, 110_000);
  const year = Number(compactDay(world.firstDay).slice(0, 4)) - 1 - Math.floor(8 * random.next() ** 2);
  set("MCS150_MILEAGE", hasMiles ? String(Math.min(miles, 2_000_000_000)) : random.chance(0.9) ? "0" : "");
  set("MCS150_MILEAGE_YEAR", hasMiles ? String(year) : random.chance(0.9) ? "0" : "");
  if (random.chance(company.dockets.length > 0 ? 0.09 : 0.02)) {
    const draw = random.next();
    set("SAFETY_RATING", draw < 0.72 ? "S" : draw < 0.96 ? "C" : "U");
    const ageDays = Math.max(0, world.firstDay - company.life.registeredDay);
    const ratedDay = world.firstDay - Math.floor(ageDays * random.next());
    set("SAFETY_RATING_DATE", random.chance(0.97) ? compactDay(ratedDay) : "");
  }
  // As on some rows of old companies.
  if (random.chance(0.01)) set("HM_Ind", "");
  while (random.chance(0.35)) set(random.pick(cargo), "X");
}

/** The code and the words of a form of organisation. Some rows have none, and few one that no document names. */
function organisation({ isPerson }: Company, draw: number): readonly [string, string] {
  if (draw < 0.02) return ["", ""];
  if (draw < 0.023) return ["6", "OTHER"];
  if (isPerson) return ["1", "INDIVIDUAL"];
  if (draw < 0.08) return ["1", "INDIVIDUAL"];
  return draw < 0.11 ? ["2", "PARTNERSHIP"] : ["3", "CORPORATION"];
}

function setAddress(set: SetField, company: Company, mailStreet: string): void {
  const { place, street, city, zip, county } = company;
  set("PHY_STREET", street);
  set("PHY_CITY", city);
  set("PHY_COUNTRY", place.country);
  set("PHY_STATE", place.code);
  set("PHY_ZIP", zip);
  set("PHY_CNTY", county);
  set("CARRIER_MAILING_STREET", mailStreet);
  set("CARRIER_MAILING_STATE", place.code);
  set("CARRIER_MAILING_CITY", city);
  set("CARRIER_MAILING_COUNTRY", place.country);
  set("CARRIER_MAILING_ZIP", zip);
  set("CARRIER_MAILING_CNTY", county);
}

/** The day of the last update, mostly with a time. The oldest companies often never sent one. */
function updateDate({ editedDay, life }: Company, random: Random): string {
  const isKnown = random.chance(0.88);
  const delayDays = random.between(0, 60);
  const minute = random.between(0, 23) * 100 + random.between(0, 59);
  const time = random.chance(0.7) ? ` ${String(minute).padStart(4, "0")}` : "";
  if (editedDay > 0) return compactDay(editedDay) + time;
  if (!isKnown) return "";
  return compactDay(life.registeredDay + (life.plot === "applicant" ? 0 : delayDays)) + time;
}

function operation({ life, dockets }: Company, draw: number): string {
  if (life.plot === "broker" || life.plot === "forwarder") return "";
  if (dockets.length > 0) return draw < 0.93 ? "A" : "C";
  if (draw < 0.36) return "A";
  return draw < 0.93 ? "C" : draw < 0.95 ? "B" : "";
}

function carship({ dockets }: Company): string {
  const kinds = dockets[0]?.authorities.map(({ kind }) => kind) ?? [];
  const carries = kinds.length === 0 || kinds.some((kind) => kind !== "broker" && kind !== "forwarder");
  const letters = [carries && "C", kinds.includes("broker") && "B", kinds.includes("forwarder") && "F"];
  return letters.filter(Boolean).join(";");
}

function classes({ dockets }: Company, draw: number): string {
  if (dockets.length > 0) return draw < 0.9 ? "AUTHORIZED FOR HIRE" : "PRIVATE PROPERTY;AUTHORIZED FOR HIRE";
  if (draw < 0.66) return "PRIVATE PROPERTY";
  if (draw < 0.68) return '"PRIVATE PASSENGER, BUSINESS"';
  return draw < 0.9 ? "EXEMPT FOR HIRE" : "AUTHORIZED FOR HIRE";
}
