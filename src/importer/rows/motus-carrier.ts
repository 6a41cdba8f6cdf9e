import { readPhone } from "../../carriers/contact.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanText, readStateCode } from "../../carriers/registry-text.ts";
import { reject } from "../tally.ts";
import { motusClassOf, motusStatusOf } from "./motus-status.ts";
import { dollarsCell } from "./policy.ts";
import type { RowReaderOf } from "./row-reader.ts";

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

  return (line) => {
    const docket = readDocket(line.field(docketAt));
    if (docket === null) return reject(tally, "no docket");
    const usdot = readUsdot(line.field(usdotAt));
    if (usdot === null) return reject(tally, "no USDOT number");
    const opAuthType = cleanText(line.field(typeAt)) ?? "";
    line.cell(docket);
    line.cell(usdot);
    line.cell(opAuthType);
    line.cell(classOf(opAuthType));
    line.cell(statusOf(line.field(statusAt)));
    line.text(legalNameAt);
    line.text(dbaNameAt);
    line.text(streetAt);
    line.text(cityAt);
    line.cell(readStateCode(line.field(stateAt)));
    line.text(zipAt);
    line.capitals(countryAt);
    line.cell(readPhone(line.field(phoneAt)));
    dollarsCell(line, minimumAt, tally);
    line.flag(cargoRequiredAt);
    line.flag(bondRequiredAt);
    dollarsCell(line, bipdAt, tally);
    line.flag(cargoFileAt);
    line.flag(bondFileAt);
    return true;
  };
};
