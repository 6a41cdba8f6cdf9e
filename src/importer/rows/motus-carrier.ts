import { readPhone } from "../../carriers/contact.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanCapitals, cleanText, readStateCode } from "../../carriers/registry-text.ts";
import { reject } from "../tally.ts";
import { motusClassOf, motusStatusOf } from "./motus-status.ts";
import { dollarsCell } from "./policy.ts";
import { cell, flag, hashedLine, type RowReaderOf } from "./row-reader.ts";

/**
 * Motus Carrier: one row per operating authority; a row without docket or USDOT number says nothing of anyone. Amounts
 * are dollars, whatever the dictionary says.
 */
export const readMotusCarrier: RowReaderOf = (at, { tally }) => {
  const [docketAt, usdotAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER")];
  const [typeAt, statusAt] = [at("OP_AUTH_TYPE"), at("OP_AUTH_STATUS")];
  const [legalNameAt, dbaNameAt] = [at("LEGAL_NAME"), at("DBA_NAME")];
  const [streetAt, cityAt, stateAt] = [at("BUS_STREET_PO"), at("BUS_CITY"), at("BUS_STATE_CODE")];
  const [zipAt, countryAt, phoneAt] = [at("BUS_ZIP_CODE"), at("BUS_CTRY_CODE"), at("BUS_TELNO")];
  const [minimumAt, bipdAt] = [at("MIN_COV_AMOUNT"), at("BIPD_FILE")];
  const [cargoRequiredAt, bondRequiredAt] = [at("CARGO_REQ"), at("BOND_REQ")];
  const [cargoFileAt, bondFileAt] = [at("CARGO_FILE"), at("BOND_FILE")];
  const statusOf = motusStatusOf(tally);
  const classOf = motusClassOf(tally);

  return (record) => {
    const docket = readDocket(record[docketAt]);
    if (docket === null) return reject(tally, "no docket");
    const usdot = readUsdot(record[usdotAt]);
    if (usdot === null) return reject(tally, "no USDOT number");
    const opAuthType = cleanText(record[typeAt]) ?? "";
    return hashedLine(
      `${docket}\t${usdot}\t${cell(opAuthType)}\t${classOf(opAuthType)}\t${cell(statusOf(record[statusAt]))}\t` +
        `${cell(cleanText(record[legalNameAt]))}\t${cell(cleanText(record[dbaNameAt]))}\t` +
        `${cell(cleanText(record[streetAt]))}\t${cell(cleanText(record[cityAt]))}\t` +
        `${cell(readStateCode(record[stateAt]))}\t${cell(cleanText(record[zipAt]))}\t` +
        `${cell(cleanCapitals(record[countryAt]))}\t${cell(readPhone(record[phoneAt]))}\t` +
        `${dollarsCell(record[minimumAt], tally)}\t${flag(record[cargoRequiredAt])}\t` +
        `${flag(record[bondRequiredAt])}\t${dollarsCell(record[bipdAt], tally)}\t` +
        `${flag(record[cargoFileAt])}\t${flag(record[bondFileAt])}`,
    );
  };
};
