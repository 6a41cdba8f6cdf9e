import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { readDocket, readUsdot } from "../../registry/docket.ts";
import { cleanCapitals } from "../../registry/registry-text.ts";
import { words } from "../layouts/layout.ts";
import { reject, repair } from "../tally.ts";
import { insuranceTypeCode, policyCells } from "./policy.ts";
import { type DatasetReader, latestDate, remembered } from "./row-reader.ts";

/** Legacy InsHist: policies that had ended, or had a known end, when that registry stopped; never their successors. */
export const legacyInshistReader: DatasetReader = {
  tableColumns: words(`
    docket usdot form_code filing_status type_code policy_no policy_key effective_on cancelled_on insurer`),
  open: (at, { tally, coded, dates }) => {
    const [docketAt, usdotAt, formAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER"), at("INS_FORM_CODE")];
    const [methodAt, generalMethodAt] = [at("CANCL_METHOD"), at("CANCL_METHOD_GEN")];
    const [typeAt, policyAt, insurerAt] = [at("INS_TYPE_DESC"), at("POLICY_NO"), at("NAME_COMPANY")];
    const latest = latestDate(LEGACY_FROZEN_ON);
    const endingOf = coded.of("CANCL_METHOD");
    const codeOf = remembered(insuranceTypeCode);
    const effectiveCell = dates.cell("EFFECTIVE_DATE", latest);
    const cancelledCell = dates.cell("CANCL_EFFECTIVE_DATE", latest);

    return (line) => {
      const docket = readDocket(line.field(docketAt));
      if (docket === null) return reject(tally, "no docket");
      const filingStatus = cleanCapitals(line.field(methodAt)) ?? cleanCapitals(line.field(generalMethodAt));
      endingOf(filingStatus ?? "");
      const typeCode = codeOf(line.field(typeAt));
      if (typeCode === null) repair(tally, "unknown insurance type");
      line.cell(docket);
      line.cell(readUsdot(line.field(usdotAt)));
      line.capitals(formAt);
      line.cell(filingStatus);
      line.cell(typeCode);
      policyCells(line, policyAt);
      effectiveCell(line);
      cancelledCell(line);
      line.text(insurerAt);
      return true;
    };
  },
};
