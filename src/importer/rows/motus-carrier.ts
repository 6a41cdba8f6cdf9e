import { readPhone } from "../../registry/contacts/contact.ts";
import { cleanText, readStateCode } from "../../registry/registry-text.ts";
import { words } from "../layouts/layout.ts";
import { reject } from "../tally.ts";
import { isNothingButKey, readMotusKey } from "./motus-key.ts";
import { motusClassOf, motusStatusOf } from "./motus-status.ts";
import { dollarsCell } from "./policy.ts";
import type { DatasetReader } from "./row-reader.ts";

/** Motus Carrier: one row per operating authority. Amounts are dollars, whatever the dictionary says. */
export const motusCarrierReader: DatasetReader = {
  tableColumns: words(`
    docket usdot op_auth_type authority_class status legal_name dba_name street city state zip country phone
    min_coverage cargo_required bond_required bipd_on_file cargo_on_file bond_on_file`),
  open: (at, options) => {
    const { tally, coded } = options;
    const [docketAt, usdotAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER")];
    const [typeAt, statusAt] = [at("OP_AUTH_TYPE"), at("OP_AUTH_STATUS")];
    const [legalNameAt, dbaNameAt] = [at("LEGAL_NAME"), at("DBA_NAME")];
    const [streetAt, cityAt, stateAt] = [at("BUS_STREET_PO"), at("BUS_CITY"), at("BUS_STATE_CODE")];
    const [zipAt, countryAt, phoneAt] = [at("BUS_ZIP_CODE"), at("BUS_CTRY_CODE"), at("BUS_TELNO")];
    const [minimumAt, bipdAt] = [at("MIN_COV_AMOUNT"), at("BIPD_FILE")];
    const [cargoRequiredAt, bondRequiredAt] = [at("CARGO_REQ"), at("BOND_REQ")];
    const [cargoFileAt, bondFileAt] = [at("CARGO_FILE"), at("BOND_FILE")];
    const otherFieldsAt = [
      statusAt,
      legalNameAt,
      streetAt,
      cityAt,
      stateAt,
      minimumAt,
      bipdAt,
      cargoRequiredAt,
    ];
    const statusOf = motusStatusOf(coded, tally);
    const classOf = motusClassOf(coded, tally);
    const countryOf = coded.of("BUS_CTRY_CODE");
    const [cargoRequired, bondRequired] = [coded.of("CARGO_REQ"), coded.of("BOND_REQ")];
    const [cargoFile, bondFile] = [coded.of("CARGO_FILE"), coded.of("BOND_FILE")];

    return (line) => {
      const key = readMotusKey(line, docketAt, usdotAt, tally);
      if (!key) return false;
      const { docket, usdot } = key;
      const opAuthType = cleanText(line.field(typeAt)) ?? "";
      if (isNothingButKey(line, otherFieldsAt, { docket, usdot, opAuthType }, options)) return false;
      if (usdot === null) return reject(tally, "no USDOT number");
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
      countryOf(line.field(countryAt));
      line.capitals(countryAt);
      line.cell(readPhone(line.field(phoneAt)));
      dollarsCell(line, minimumAt, tally);
      line.flag(cargoRequiredAt, cargoRequired);
      line.flag(bondRequiredAt, bondRequired);
      dollarsCell(line, bipdAt, tally);
      line.flag(cargoFileAt, cargoFile);
      line.flag(bondFileAt, bondFile);
      return true;
    };
  },
};
