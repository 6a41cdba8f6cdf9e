import { readPhone } from "../../carriers/contact.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanCapitals, cleanText, readStateCode } from "../../carriers/registry-text.ts";
import { reject, repair } from "../tally.ts";
import { cell, flag, hashedLine, type RowReaderOf } from "./row-reader.ts";

/** Legacy Carrier: one row per docket, with the status of its common, contract and broker authority. */
export const readLegacyCarrier: RowReaderOf = (at, { tally }) => {
  const [docketAt, usdotAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER")];
  const statusesAt = ["COMMON_STAT", "CONTRACT_STAT", "BROKER_STAT"].map(at);
  const flagsAt = [
    ...["COMMON_APP_PEND", "CONTRACT_APP_PEND", "BROKER_APP_PEND"],
    ...["COMMON_REV_PEND", "CONTRACT_REV_PEND", "BROKER_REV_PEND"],
    ...["PROPERTY_CHK", "PASSENGER_CHK", "HHG_CHK"],
  ].map(at);
  const [legalNameAt, dbaNameAt] = [at("LEGAL_NAME"), at("DBA_NAME")];
  const [streetAt, cityAt, stateAt] = [at("BUS_STREET_PO"), at("BUS_CITY"), at("BUS_STATE_CODE")];
  const [zipAt, countryAt, phoneAt] = [at("BUS_ZIP_CODE"), at("BUS_CTRY_CODE"), at("BUS_TELNO")];

  /** A active, I inactive, N none; null for anything else. */
  const readStatus = (raw: string | undefined): string | null => {
    const status = cleanCapitals(raw);
    if (status === "A" || status === "I" || status === "N") return status;
    if (status !== null) repair(tally, "unknown common, contract or broker status");
    return null;
  };

  return (record) => {
    const docket = readDocket(record[docketAt]);
    if (docket === null) return reject(tally, "no docket");
    let cells = `${docket}\t${cell(readUsdot(record[usdotAt]))}\t`;
    for (const place of statusesAt) cells += `${cell(readStatus(record[place]))}\t`;
    for (const place of flagsAt) cells += `${flag(record[place])}\t`;
    return hashedLine(
      `${cells}${cell(cleanText(record[legalNameAt]))}\t${cell(cleanText(record[dbaNameAt]))}\t` +
        `${cell(cleanText(record[streetAt]))}\t${cell(cleanText(record[cityAt]))}\t` +
        `${cell(readStateCode(record[stateAt]))}\t${cell(cleanText(record[zipAt]))}\t` +
        `${cell(cleanCapitals(record[countryAt]))}\t${cell(readPhone(record[phoneAt]))}`,
    );
  };
};
