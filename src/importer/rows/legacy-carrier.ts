import { readPhone } from "../../registry/contacts/contact.ts";
import { readDocket, readUsdot } from "../../registry/docket.ts";
import { cleanCapitals, readStateCode } from "../../registry/registry-text.ts";
import { UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { words } from "../layouts/layout.ts";
import { reject, repair } from "../tally.ts";
import { thousandsCell } from "./policy.ts";
import type { DatasetReader } from "./row-reader.ts";

/** Legacy Carrier: one row per docket, with the status of its common, contract and broker authority. */
export const legacyCarrierReader: DatasetReader = {
  tableColumns: words(`
    docket usdot common_stat contract_stat broker_stat common_pending contract_pending broker_pending
    common_revoking contract_revoking broker_revoking property passenger household_goods legal_name dba_name
    street city state zip country phone min_coverage bipd_on_file`),
  open: (at, { tally, coded }) => {
    const [docketAt, usdotAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER")];
    const statuses = ["COMMON_STAT", "CONTRACT_STAT", "BROKER_STAT"].map((column) => ({
      index: at(column),
      meaning: coded.of(column),
    }));
    const flags = [
      "COMMON_APP_PEND",
      "CONTRACT_APP_PEND",
      "BROKER_APP_PEND",
      "COMMON_REV_PEND",
      "CONTRACT_REV_PEND",
      "BROKER_REV_PEND",
      "PROPERTY_CHK",
      "PASSENGER_CHK",
      "HHG_CHK",
    ].map((column) => ({ index: at(column), meaning: coded.of(column) }));
    const countryOf = coded.of("BUS_CTRY_CODE");
    const [legalNameAt, dbaNameAt] = [at("LEGAL_NAME"), at("DBA_NAME")];
    const [streetAt, cityAt, stateAt] = [at("BUS_STREET_PO"), at("BUS_CITY"), at("BUS_STATE_CODE")];
    const [zipAt, countryAt, phoneAt] = [at("BUS_ZIP_CODE"), at("BUS_CTRY_CODE"), at("BUS_TELNO")];
    const [requiredAt, onFileAt] = [at("MIN_COV_AMOUNT"), at("BIPD_FILE")];

    /** A active, I inactive, N none; null for anything else. */
    const readStatus = (raw: string, meaning: (raw: string) => string): string | null => {
      if (meaning(raw) !== UNKNOWN) return cleanCapitals(raw);
      repair(tally, "unknown common, contract or broker status");
      return null;
    };

    return (line) => {
      const docket = readDocket(line.field(docketAt));
      if (docket === null) return reject(tally, "no docket");
      line.cell(docket);
      line.cell(readUsdot(line.field(usdotAt)));
      for (const { index, meaning } of statuses) line.cell(readStatus(line.field(index), meaning));
      for (const { index, meaning } of flags) line.flag(index, meaning);
      line.text(legalNameAt);
      line.text(dbaNameAt);
      line.text(streetAt);
      line.text(cityAt);
      line.cell(readStateCode(line.field(stateAt)));
      line.text(zipAt);
      countryOf(line.field(countryAt));
      line.capitals(countryAt);
      line.cell(readPhone(line.field(phoneAt)));
      thousandsCell(line, requiredAt, tally);
      thousandsCell(line, onFileAt, tally);
      return true;
    };
  },
};
