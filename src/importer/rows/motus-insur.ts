import { words } from "../layouts/layout.ts";
import { isNothingButKey, readMotusKey } from "./motus-key.ts";
import { dollarsCell, policyCells } from "./policy.ts";
import { type DatasetReader, latestDate } from "./row-reader.ts";

/** Motus Insur: policies on file, one row per filing transaction. */
export const motusInsurReader: DatasetReader = {
  tableColumns: words(`
    docket usdot form_code type_code class_code max_coverage policy_no policy_key effective_on insurer filed_on`),
  open: (at, options) => {
    const { today, tally, coded, dates } = options;
    const [docketAt, usdotAt, formAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER"), at("INS_FORM_CODE")];
    const [typeAt, classAt, amountAt] = [at("INS_TYPE_CODE"), at("INS_CLASS_CODE"), at("MAX_COV_AMOUNT")];
    const [policyAt, effectiveAt] = [at("POLICY_NO"), at("EFFECTIVE_DATE")];
    const [insurerAt, filedAt] = [at("INSURANCE_COMPANY_NAME"), at("TRANS_DATE")];
    const policyFieldsAt = [formAt, typeAt, classAt, amountAt, policyAt, effectiveAt, insurerAt, filedAt];
    const latest = latestDate(today);
    const [kindOf, layerOf] = [coded.of("INS_TYPE_CODE"), coded.of("INS_CLASS_CODE")];
    const effectiveCell = dates.cell("EFFECTIVE_DATE", latest);
    const filedCell = dates.cell("TRANS_DATE", latest);

    return (line) => {
      const key = readMotusKey(line, docketAt, usdotAt, tally);
      if (!key || isNothingButKey(line, policyFieldsAt, { ...key, opAuthType: "" }, options)) return false;
      kindOf(line.field(typeAt));
      layerOf(line.field(classAt));
      line.cell(key.docket);
      line.cell(key.usdot);
      line.capitals(formAt);
      line.capitals(typeAt);
      line.capitals(classAt);
      dollarsCell(line, amountAt, tally);
      policyCells(line, policyAt);
      effectiveCell(line);
      line.text(insurerAt);
      filedCell(line);
      return true;
    };
  },
};
