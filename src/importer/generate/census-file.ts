import type { Company } from "./company.ts";
import { compactDay } from "./dates.ts";
import { fleetSize } from "./fleet.ts";
import { createRandom } from "./random.ts";
import { csvField } from "./text-file.ts";
import type { World } from "./world.ts";

/** The 147 columns of the Company Census File, in the official order. */
export const CENSUS_COLUMNS: readonly string[] = (
  "MCS150_DATE ADD_DATE STATUS_CODE DOT_NUMBER DUN_BRADSTREET_NO PHY_OMC_REGION SAFETY_INV_TERR " +
  "CARRIER_OPERATION BUSINESS_ORG_ID MCS150_MILEAGE MCS150_MILEAGE_YEAR MCS151_MILEAGE TOTAL_CARS " +
  "MCS150_UPDATE_CODE_ID PRIOR_REVOKE_FLAG PRIOR_REVOKE_DOT_NUMBER PHONE FAX CELL_PHONE " +
  "COMPANY_OFFICER_1 COMPANY_OFFICER_2 BUSINESS_ORG_DESC TRUCK_UNITS POWER_UNITS BUS_UNITS FLEETSIZE " +
  "REVIEW_ID RECORDABLE_CRASH_RATE MAIL_NATIONALITY_INDICATOR PHY_NATIONALITY_INDICATOR PHY_BARRIO " +
  "MAIL_BARRIO CARSHIP DOCKET1PREFIX DOCKET1 DOCKET2PREFIX DOCKET2 DOCKET3PREFIX DOCKET3 POINTNUM " +
  "TOTAL_INTRASTATE_DRIVERS MCSIPSTEP MCSIPDATE HM_Ind INTERSTATE_BEYOND_100_MILES " +
  "INTERSTATE_WITHIN_100_MILES INTRASTATE_BEYOND_100_MILES INTRASTATE_WITHIN_100_MILES TOTAL_CDL " +
  "TOTAL_DRIVERS AVG_DRIVERS_LEASED_PER_MONTH CLASSDEF LEGAL_NAME DBA_NAME PHY_STREET PHY_CITY " +
  "PHY_COUNTRY PHY_STATE PHY_ZIP PHY_CNTY CARRIER_MAILING_STREET CARRIER_MAILING_STATE " +
  "CARRIER_MAILING_CITY CARRIER_MAILING_COUNTRY CARRIER_MAILING_ZIP CARRIER_MAILING_CNTY " +
  "CARRIER_MAILING_UND_DATE DRIVER_INTER_TOTAL EMAIL_ADDRESS REVIEW_TYPE REVIEW_DATE SAFETY_RATING " +
  "SAFETY_RATING_DATE UNDELIV_PHY CRGO_GENFREIGHT CRGO_HOUSEHOLD CRGO_METALSHEET CRGO_MOTOVEH " +
  "CRGO_DRIVETOW CRGO_LOGPOLE CRGO_BLDGMAT CRGO_MOBILEHOME CRGO_MACHLRG CRGO_PRODUCE CRGO_LIQGAS " +
  "CRGO_INTERMODAL CRGO_PASSENGERS CRGO_OILFIELD CRGO_LIVESTOCK CRGO_GRAINFEED CRGO_COALCOKE CRGO_MEAT " +
  "CRGO_GARBAGE CRGO_USMAIL CRGO_CHEM CRGO_DRYBULK CRGO_COLDFOOD CRGO_BEVERAGES CRGO_PAPERPROD " +
  "CRGO_UTILITY CRGO_FARMSUPP CRGO_CONSTRUCT CRGO_WATERWELL CRGO_CARGOOTHR CRGO_CARGOOTHR_DESC OWNTRUCK " +
  "OWNTRACT OWNTRAIL OWNCOACH OWNSCHOOL_1_8 OWNSCHOOL_9_15 OWNSCHOOL_16 OWNBUS_16 OWNVAN_1_8 " +
  "OWNVAN_9_15 OWNLIMO_1_8 OWNLIMO_9_15 OWNLIMO_16 TRMTRUCK TRMTRACT TRMTRAIL TRMCOACH TRMSCHOOL_1_8 " +
  "TRMSCHOOL_9_15 TRMSCHOOL_16 TRMBUS_16 TRMVAN_1_8 TRMVAN_9_15 TRMLIMO_1_8 TRMLIMO_9_15 TRMLIMO_16 " +
  "TRPTRUCK TRPTRACT TRPTRAIL TRPCOACH TRPSCHOOL_1_8 TRPSCHOOL_9_15 TRPSCHOOL_16 TRPBUS_16 TRPVAN_1_8 " +
  "TRPVAN_9_15 TRPLIMO_1_8 TRPLIMO_9_15 TRPLIMO_16 DOCKET1_STATUS_CODE DOCKET2_STATUS_CODE " +
  "DOCKET3_STATUS_CODE"
).split(" ");

const position = new Map(CENSUS_COLUMNS.map((column, index) => [column, index]));
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

/** The company's line in the census file. */
export function censusLine(world: World, company: Company): string {
  const row = new Array<string>(CENSUS_COLUMNS.length).fill("");
  const set = (column: string, value: string) => {
    row[position.get(column) as number] = value;
  };
  const random = createRandom(world.seed, company.life.index, 9);
  const { place, fleet, contacts } = company;
  const updated = company.editedDay || company.life.registeredDay + random.between(0, 60);
  if (company.editedDay > 0 || random.chance(0.88)) {
    const time = random.chance(0.7)
      ? ` ${String(random.between(0, 23) * 100 + random.between(0, 59)).padStart(4, "0")}`
      : "";
    set("MCS150_DATE", compactDay(Math.min(updated, world.firstDay + 20_000)) + time);
  }
  set("ADD_DATE", random.chance(0.0277) ? "19740601" : compactDay(company.life.registeredDay));
  set("STATUS_CODE", company.statusCode);
  set("DOT_NUMBER", String(company.dotNumber));
  set("DUN_BRADSTREET_NO", "0");
  set("CARRIER_OPERATION", operation(company, random.next()));
  set("BUSINESS_ORG_ID", company.isPerson ? "1" : "3");
  set("BUSINESS_ORG_DESC", company.isPerson ? "INDIVIDUAL" : "CORPORATION");
  set("MCS150_UPDATE_CODE_ID", random.pick(["1", "2", "3"]));
  set("PRIOR_REVOKE_FLAG", random.chance(0.007) ? "Y" : "N");
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
  return row.join(",");
}

function setAddress(
  set: (column: string, value: string) => void,
  company: Company,
  mailStreet: string,
): void {
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
