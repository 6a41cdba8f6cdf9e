import { CARGO_COLUMN_NAMES } from "../../registry/cargo.ts";
import { readEmail, readPhone } from "../../registry/contacts/contact.ts";
import { LARGEST_USDOT, readUsdot } from "../../registry/docket.ts";
import { hasLegalForm } from "../../registry/legal-entity.ts";
import { cleanCapitals, cleanText, readCount, readStateCode } from "../../registry/registry-text.ts";
import { meaningOf, UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { words } from "../layouts/layout.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import { compactDay } from "../read/plain-day.ts";
import { REASONS, reject } from "../tally.ts";
import type { DatasetReader } from "./row-reader.ts";

/** Larger fleets are typing mistakes or of companies that ended long ago. */
const MOST_POWER_UNITS = 100_000;
const MOST_DRIVERS = 100_000;
const MOST_MILES = 999_999_999;
const EARLIEST_MILEAGE_YEAR = 1970;

/** Company Census File: one row per USDOT number, the first one when a number is repeated. */
export const censusReader: DatasetReader = {
  tableColumns: words(`
    usdot status_code legal_name dba_name street city state zip county_fips country phone cell_phone email
    power_units drivers general_freight carrier_operation hazmat cargo safety_rating safety_rating_on updated_on
    annual_mileage mileage_year added_on is_individual`),
  open: (at, { today, tally, coded, dates }) => {
    const [usdotAt, statusAt, operationAt] = [at("DOT_NUMBER"), at("STATUS_CODE"), at("CARRIER_OPERATION")];
    const [legalNameAt, dbaNameAt] = [at("LEGAL_NAME"), at("DBA_NAME")];
    const [streetAt, cityAt, stateAt] = [at("PHY_STREET"), at("PHY_CITY"), at("PHY_STATE")];
    const [zipAt, countyAt, countryAt] = [at("PHY_ZIP"), at("PHY_CNTY"), at("PHY_COUNTRY")];
    const [phoneAt, cellPhoneAt, emailAt] = [at("PHONE"), at("CELL_PHONE"), at("EMAIL_ADDRESS")];
    const [powerUnitsAt, driversAt, freightAt] = [
      at("POWER_UNITS"),
      at("TOTAL_DRIVERS"),
      at("CRGO_GENFREIGHT"),
    ];
    // The census has no date of its own: its newest registration or update shows its age.
    const todayNumber = compactDay(today);
    const [addedAt, updatedAt] = [at("ADD_DATE"), at("MCS150_DATE")];
    const meaningOfStatus = coded.of("STATUS_CODE");
    const countryOf = coded.of("PHY_COUNTRY");
    const haulsFreight = coded.of("CRGO_GENFREIGHT");
    const cargo = CARGO_COLUMN_NAMES.map((column, index) => ({
      at: at(column),
      bit: 1 << index,
      // Read before, so its unknown values are counted already.
      hauls: column === "CRGO_GENFREIGHT" ? isMarked : coded.of(column),
    }));
    const [hazmatAt, ratingAt, formAt] = [at("HM_IND"), at("SAFETY_RATING"), at("BUSINESS_ORG_ID")];
    const meaningOfHazmat = coded.of("HM_IND");
    const meaningOfRating = coded.of("SAFETY_RATING");
    const meaningOfForm = coded.of("BUSINESS_ORG_ID");
    const [milesAt, milesYearAt] = [at("MCS150_MILEAGE"), at("MCS150_MILEAGE_YEAR")];
    const latestMileageYear = Number(today.slice(0, 4));
    const ratedCell = dates.cell("SAFETY_RATING_DATE", today);
    const updatedCell = dates.cell("MCS150_DATE", today);
    const addedCell = dates.cell("ADD_DATE", today);

    /** The bits of the cargo that the row names; null if it names none. */
    const cargoOf = (line: CopyLines): number | null => {
      let bits = 0;
      for (const { at, bit, hauls } of cargo)
        if (!line.isBlank(at) && hauls(line.field(at)) === "yes") bits |= bit;
      return bits === 0 ? null : bits;
    };
    // One bit per USDOT number: 12.5 MB, whatever the size of the file.
    const seen = new Uint8Array((LARGEST_USDOT >> 3) + 1);

    return (line) => {
      const usdot = readUsdot(line.field(usdotAt));
      if (usdot === null) return reject(tally, "no USDOT number");
      const status = cleanCapitals(line.field(statusAt));
      if (status === null) return reject(tally, REASONS.noStatus);
      if (meaningOfStatus(status) === UNKNOWN) return reject(tally, REASONS.unknownStatus);
      const bits = seen[usdot >> 3] ?? 0;
      const bit = 1 << (usdot & 7);
      if (bits & bit) return reject(tally, REASONS.usdotRepeated);
      seen[usdot >> 3] = bits | bit;
      line.cell(usdot);
      line.cell(status);
      line.text(legalNameAt);
      line.text(dbaNameAt);
      line.text(streetAt);
      line.text(cityAt);
      line.cell(readStateCode(line.field(stateAt)));
      line.text(zipAt);
      line.cell(readCounty(line.field(countyAt)));
      countryOf(line.field(countryAt));
      line.capitals(countryAt);
      line.cell(readPhone(line.field(phoneAt)));
      line.cell(readPhone(line.field(cellPhoneAt)));
      line.cell(readEmail(line.field(emailAt)));
      line.cell(readCount(line.field(powerUnitsAt), MOST_POWER_UNITS));
      line.cell(readCount(line.field(driversAt), MOST_DRIVERS));
      line.flag(freightAt, haulsFreight);
      line.cell(readOperation(line.field(operationAt)));
      line.cell(yesOrNo(line.isBlank(hazmatAt) ? "" : meaningOfHazmat(line.field(hazmatAt))));
      line.cell(cargoOf(line));
      line.cell(RATINGS[line.isBlank(ratingAt) ? "" : meaningOfRating(line.field(ratingAt))] ?? null);
      ratedCell(line);
      updatedCell(line);
      const year = readCount(line.field(milesYearAt), latestMileageYear) ?? 0;
      const miles = readCount(line.field(milesAt), MOST_MILES);
      const hasYear = year >= EARLIEST_MILEAGE_YEAR;
      // Companies that never filed a mileage have 0 miles in the year 0.
      line.cell(miles === 0 && !hasYear ? null : miles);
      line.cell(hasYear ? year : null);
      addedCell(line);
      const form = line.isBlank(formAt) ? "" : meaningOfForm(line.field(formAt));
      line.cell(isIndividual(form, () => cleanText(line.field(legalNameAt))));
      line.addDay(addedAt, todayNumber);
      line.addDay(updatedAt, todayNumber);
      return true;
    };
  },
};

/** The three-digit county code within the state; null for 000, which means unknown. */
function readCounty(raw: string | undefined): string | null {
  const code = readCount(raw, 999);
  return code === null || code === 0 ? null : String(code).padStart(3, "0");
}

/** A interstate, B intrastate with hazardous materials, C intrastate without; null for companies that carry nothing. */
function readOperation(raw: string | undefined): string | null {
  const code = cleanCapitals(raw);
  return code === "A" || code === "B" || code === "C" ? code : null;
}

const isMarked = (raw: string): string => meaningOf("census.CRGO_GENFREIGHT", raw);

/** true or false as COPY reads it; null if the company did not say it. */
const yesOrNo = (meaning: string): string | null => (meaning === "yes" ? "t" : meaning === "no" ? "f" : null);

const RATINGS: Readonly<Record<string, string>> = {
  satisfactory: "satisfactory",
  conditional: "conditional",
  unsatisfactory: "unsatisfactory",
};

/**
 * Whether the company is a natural person: as the file's code of its organisation says, else because its name has no
 * word of a legal form. Null without code and name.
 */
function isIndividual(form: string, nameOf: () => string | null): string | null {
  if (form === "individual") return "t";
  if (form === "partnership" || form === "corporation") return "f";
  const name = nameOf();
  if (name === null) return null;
  return hasLegalForm(name) ? "f" : "t";
}
