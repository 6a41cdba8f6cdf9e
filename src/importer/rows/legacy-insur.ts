import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { readDocket } from "../../registry/docket.ts";
import { words } from "../layouts/layout.ts";
import { reject } from "../tally.ts";
import { areEmpty, policyCells, thousandsCell } from "./policy.ts";
import { type DatasetReader, latestDate } from "./row-reader.ts";

/** Legacy Insur: policies on file when that registry stopped, by docket without USDOT number. */
export const legacyInsurReader: DatasetReader = {
  tableColumns: words(`
    docket type_code class_code max_coverage policy_no policy_key effective_on form_code insurer`),
  open: (at, { tally, coded, dates }) => {
    const docketAt = at("PREFIX_DOCKET_NUMBER");
    const [typeAt, classAt, amountAt] = [at("INS_TYPE_CODE"), at("INS_CLASS_CODE"), at("MAX_COV_AMOUNT")];
    const [policyAt, effectiveAt] = [at("POLICY_NO"), at("EFFECTIVE_DATE")];
    const [formAt, insurerAt] = [at("INS_FORM_CODE"), at("NAME_COMPANY")];
    const policyFieldsAt = [typeAt, classAt, amountAt, policyAt, effectiveAt, formAt, insurerAt];
    const latest = latestDate(LEGACY_FROZEN_ON);
    const [kindOf, layerOf] = [coded.of("INS_TYPE_CODE"), coded.of("INS_CLASS_CODE")];
    const effectiveCell = dates.cell("EFFECTIVE_DATE", latest);

    return (line) => {
      const docket = readDocket(line.field(docketAt));
      if (docket === null) return reject(tally, "no docket");
      if (areEmpty(policyFieldsAt.map((index) => line.field(index)))) return reject(tally, "no policy");
      kindOf(line.field(typeAt));
      layerOf(line.field(classAt));
      line.cell(docket);
      line.capitals(typeAt);
      line.capitals(classAt);
      thousandsCell(line, amountAt, tally);
      policyCells(line, policyAt);
      effectiveCell(line);
      line.capitals(formAt);
      line.text(insurerAt);
      return true;
    };
  },
};
