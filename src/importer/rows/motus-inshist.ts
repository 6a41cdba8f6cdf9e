import { cleanCapitals } from "../../registry/registry-text.ts";
import { UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { words } from "../layouts/layout.ts";
import { REASONS, repair } from "../tally.ts";
import { isNothingButKey, readMotusKey } from "./motus-key.ts";
import { policyCells } from "./policy.ts";
import { type DatasetReader, latestDate } from "./row-reader.ts";

/** Motus InsHist: policies that ended or will end; old ones often have no date. */
export const motusInshistReader: DatasetReader = {
  tableColumns: words(`
    docket usdot form_code filing_status type_code class_code policy_no policy_key effective_on cancelled_on
    insurer`),
  open: (at, options) => {
    const { today, tally, coded, dates } = options;
    const [docketAt, usdotAt, formAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER"), at("INS_FORM_CODE")];
    const [statusAt, typeAt, classAt] = [
      at("FILING_STATUS_REASON"),
      at("INS_TYPE_CODE"),
      at("INS_CLASS_CODE"),
    ];
    const [policyAt, effectiveAt] = [at("POLICY_NO"), at("EFFECTIVE_DATE")];
    const [cancelledAt, insurerAt] = [at("CANCL_EFFECTIVE_DATE"), at("INSURANCE_COMPANY_NAME")];
    const policyFieldsAt = [formAt, statusAt, typeAt, classAt, policyAt, effectiveAt, cancelledAt, insurerAt];
    const latest = latestDate(today);
    const endingOf = coded.of("FILING_STATUS_REASON");
    const [kindOf, layerOf] = [coded.of("INS_TYPE_CODE"), coded.of("INS_CLASS_CODE")];
    const effectiveCell = dates.cell("EFFECTIVE_DATE", latest);
    const cancelledCell = dates.cell("CANCL_EFFECTIVE_DATE", latest);

    return (line) => {
      const key = readMotusKey(line, docketAt, usdotAt, tally);
      if (!key || isNothingButKey(line, policyFieldsAt, { ...key, opAuthType: "" }, options)) return false;
      const filingStatus = cleanCapitals(line.field(statusAt));
      if (filingStatus === null) repair(tally, REASONS.noStatus);
      endingOf(line.field(statusAt));
      kindOf(line.field(typeAt));
      layerOf(line.field(classAt));
      line.cell(key.docket);
      line.cell(key.usdot);
      line.capitals(formAt);
      line.cell(filingStatus ?? UNKNOWN);
      line.capitals(typeAt);
      line.capitals(classAt);
      policyCells(line, policyAt);
      effectiveCell(line);
      cancelledCell(line);
      line.text(insurerAt);
      return true;
    };
  },
};
