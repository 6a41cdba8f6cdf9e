import { readPhone } from "../../carriers/contact.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanCapitals, readStateCode } from "../../carriers/registry-text.ts";
import { reject, repair } from "../tally.ts";
import type { RowReaderOf } from "./row-reader.ts";

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

  return (line) => {
    const docket = readDocket(line.field(docketAt));
    if (docket === null) return reject(tally, "no docket");
    line.cell(docket);
    line.cell(readUsdot(line.field(usdotAt)));
    for (const place of statusesAt) line.cell(readStatus(line.field(place)));
    for (const place of flagsAt) line.flag(place);
    line.text(legalNameAt);
    line.text(dbaNameAt);
    line.text(streetAt);
    line.text(cityAt);
    line.cell(readStateCode(line.field(stateAt)));
    line.text(zipAt);
    line.capitals(countryAt);
    line.cell(readPhone(line.field(phoneAt)));
    return true;
  };
};
