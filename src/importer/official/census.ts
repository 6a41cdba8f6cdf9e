import { CARGO_COLUMN_NAMES } from "../../registry/cargo.ts";
import { readEmail, readPhone } from "../../registry/contacts/contact.ts";
import { LARGEST_USDOT, readUsdot } from "../../registry/docket.ts";
import { hasLegalForm } from "../../registry/legal-entity.ts";
import { cleanCapitals, cleanText, readCount, readStateCode } from "../../registry/registry-text.ts";
import { meaningOf, UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { columnName } from "../read/csv-records.ts";
import { remembered } from "../rows/coded-values.ts";
import { day, upToToday } from "../rows/days.ts";
import {
  capitals,
  country,
  flag,
  meaning,
  optional,
  shownAs,
  shownValue,
  usdot,
  value,
  wholeNumber,
} from "../rows/fields.ts";
import type { Field, OfficialFile, RowRule } from "../rows/official-file.ts";
import { withoutShift } from "../rows/row-rules.ts";
import { REASONS, reject } from "../rows/tally.ts";

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

/** Larger fleets are typing mistakes or of companies that ended long ago. */
const MOST_POWER_UNITS = 100_000;
const MOST_DRIVERS = 100_000;
const MOST_MILES = 999_999_999;
const EARLIEST_MILEAGE_YEAR = 1970;

/** A USDOT number with a known status; the first row when a number is repeated. */
const companyKey: RowRule = {
  columns: ["DOT_NUMBER", "STATUS_CODE"],
  open: ({ at, coded, row, tally }) => {
    const [usdotAt, statusAt] = [at("DOT_NUMBER"), at("STATUS_CODE")];
    const meaningOfStatus = coded.of("STATUS_CODE");
    // One bit per USDOT number: 12.5 MB, whatever the size of the file.
    const seen = new Uint8Array((LARGEST_USDOT >> 3) + 1);
    return (line) => {
      const usdot = readUsdot(line.field(usdotAt));
      if (usdot === null) return reject(tally, REASONS.noUsdot);
      const status = cleanCapitals(line.field(statusAt));
      if (status === null) return reject(tally, REASONS.noStatus);
      if (meaningOfStatus(status) === UNKNOWN) return reject(tally, REASONS.unknownStatus);
      const bits = seen[usdot >> 3] ?? 0;
      const bit = 1 << (usdot & 7);
      if (bits & bit) return reject(tally, REASONS.usdotRepeated);
      seen[usdot >> 3] = bits | bit;
      row.usdot = usdot;
      return true;
    };
  },
};

/** The cargo that the row names, as bits; null if it names none. */
const cargo: Field = {
  columns: CARGO_COLUMN_NAMES,
  open: ({ at, coded }) => {
    const columns = CARGO_COLUMN_NAMES.map((column, index) => ({
      index: at(column),
      bit: 1 << index,
      // The field general_freight counts its values.
      hauls:
        column === "CRGO_GENFREIGHT"
          ? remembered((raw) => meaningOf("census.CRGO_GENFREIGHT", raw))
          : coded.of(column),
    }));
    return (line) => {
      let bits = 0;
      for (const { index, bit, hauls } of columns)
        if (!line.isBlank(index) && hauls(line.field(index)) === "yes") bits |= bit;
      line.cell(bits === 0 ? null : bits);
    };
  },
};

/** The miles and their year. Companies that never filed a mileage have 0 miles in the year 0. */
const mileage = (show: (miles: number | null, year: number | null) => number | null): Field => ({
  columns: ["MCS150_MILEAGE", "MCS150_MILEAGE_YEAR"],
  open: ({ at, today }) => {
    const [milesAt, yearAt] = [at("MCS150_MILEAGE"), at("MCS150_MILEAGE_YEAR")];
    const latestYear = Number(today.slice(0, 4));
    return (line) => {
      const year = readCount(line.field(yearAt), latestYear) ?? 0;
      line.cell(show(readCount(line.field(milesAt), MOST_MILES), year < EARLIEST_MILEAGE_YEAR ? null : year));
    };
  },
});

/**
 * Whether the company is a natural person: as the file's code of its organisation says, else because its name has no
 * word of a legal form. Null without code and name.
 */
const individual: Field = {
  columns: ["BUSINESS_ORG_ID", "LEGAL_NAME"],
  open: ({ at, coded }) => {
    const [formAt, nameAt] = [at("BUSINESS_ORG_ID"), at("LEGAL_NAME")];
    const meaningOfForm = coded.of("BUSINESS_ORG_ID");
    return (line) => {
      const form = line.isBlank(formAt) ? "" : meaningOfForm(line.field(formAt));
      if (form === "individual") return line.cell("t");
      if (form === "partnership" || form === "corporation") return line.cell("f");
      const name = cleanText(line.field(nameAt));
      line.cell(name && (hasLegalForm(name) ? "f" : "t"));
    };
  },
};

/** The three-digit county code within the state; null for 000, which means unknown. */
function readCounty(raw: string): string | null {
  const code = readCount(raw, 999);
  return code === null || code === 0 ? null : String(code).padStart(3, "0");
}

/** A interstate, B intrastate with hazardous materials, C intrastate without; null for companies that carry nothing. */
function readOperation(raw: string): string | null {
  const code = cleanCapitals(raw);
  return code === "A" || code === "B" || code === "C" ? code : null;
}

/** true or false as COPY reads it; null if the company did not say it. */
const yesOrNo = (means: string): string | null => (means === "yes" ? "t" : means === "no" ? "f" : null);

const RATINGS = ["satisfactory", "conditional", "unsatisfactory"];

/** One row per USDOT number. */
export const census: OfficialFile = {
  dataset: "census",
  title: "Company Census File",
  ids: ["az4n-8mr2"],
  header: CENSUS_COLUMNS.map(columnName),
  key: companyKey,
  leftOut: [withoutShift({ state: "PHY_STATE", zip: "PHY_ZIP", country: "PHY_COUNTRY", county: "PHY_CNTY" })],
  isKeyed: true,
  fields: {
    usdot,
    status_code: capitals("STATUS_CODE"),
    legal_name: shownAs("LEGAL_NAME", "company"),
    dba_name: shownAs("DBA_NAME", "dba_name"),
    street: shownAs("PHY_STREET", "street"),
    city: shownAs("PHY_CITY", "city"),
    state: value("PHY_STATE", readStateCode),
    zip: shownAs("PHY_ZIP", "zip"),
    county_fips: value("PHY_CNTY", readCounty),
    country: country("PHY_COUNTRY", "PHY_STATE"),
    phone: value("PHONE", readPhone),
    cell_phone: value("CELL_PHONE", readPhone),
    email: shownValue("EMAIL_ADDRESS", "email", readEmail),
    power_units: wholeNumber("POWER_UNITS", MOST_POWER_UNITS),
    drivers: wholeNumber("TOTAL_DRIVERS", MOST_DRIVERS),
    general_freight: flag("CRGO_GENFREIGHT"),
    carrier_operation: value("CARRIER_OPERATION", readOperation),
    hazmat: optional(meaning("HM_IND", yesOrNo)),
    cargo: optional(cargo),
    safety_rating: optional(meaning("SAFETY_RATING", (means) => (RATINGS.includes(means) ? means : null))),
    safety_rating_on: optional(day("SAFETY_RATING_DATE", upToToday)),
    updated_on: day("MCS150_DATE", upToToday),
    annual_mileage: optional(mileage((miles, year) => (miles === 0 && year === null ? null : miles))),
    mileage_year: optional(mileage((_miles, year) => year)),
    added_on: day("ADD_DATE", upToToday),
    is_individual: optional(individual),
    prior_usdot: optional(value("PRIOR_REVOKE_DOT_NUMBER", readUsdot)),
  },
  // The census has no date of its own: its newest registration or update shows its age.
  dated: ["updated_on", "added_on"],
};
