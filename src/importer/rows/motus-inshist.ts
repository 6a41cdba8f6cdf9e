import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanCapitals } from "../../carriers/registry-text.ts";
import { REASONS, reject, repair } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { policyCells } from "./policy.ts";
import { dateCell, type RowReaderOf } from "./row-reader.ts";

/** Motus InsHist: policies that ended or are about to; old ones often without a day. */
export const readMotusInshist: RowReaderOf = (at, { today, tally }) => {
  const [docketAt, usdotAt, formAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER"), at("INS_FORM_CODE")];
  const [statusAt, typeAt, classAt] = [at("FILING_STATUS_REASON"), at("INS_TYPE_CODE"), at("INS_CLASS_CODE")];
  const [policyAt, effectiveAt] = [at("POLICY_NO"), at("EFFECTIVE_DATE")];
  const [cancelledAt, insurerAt] = [at("CANCL_EFFECTIVE_DATE"), at("INSURANCE_COMPANY_NAME")];
  const latest = latestDate(today);

  /** CANCEL, TERM/REPL and so on; what a row without one tells is not known. */
  const readFilingStatus = (raw: string | undefined): string => {
    const status = cleanCapitals(raw);
    if (status === null) repair(tally, REASONS.noStatus);
    return status ?? "unknown";
  };

  return (line) => {
    const docket = readDocket(line.field(docketAt));
    if (docket === null) return reject(tally, "no docket");
    line.cell(docket);
    line.cell(readUsdot(line.field(usdotAt)));
    line.capitals(formAt);
    line.cell(readFilingStatus(line.field(statusAt)));
    line.capitals(typeAt);
    line.capitals(classAt);
    policyCells(line, policyAt);
    dateCell(line, effectiveAt, latest, tally);
    dateCell(line, cancelledAt, latest, tally);
    line.text(insurerAt);
    return true;
  };
};
