import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanCapitals, cleanText } from "../../carriers/registry-text.ts";
import { REASONS, reject, repair } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { policyCells } from "./policy.ts";
import { cell, dateCell, hashedLine, type RowReaderOf } from "./row-reader.ts";

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

  return (record) => {
    const docket = readDocket(record[docketAt]);
    if (docket === null) return reject(tally, "no docket");
    return hashedLine(
      `${docket}\t${cell(readUsdot(record[usdotAt]))}\t${cell(cleanCapitals(record[formAt]))}\t` +
        `${cell(readFilingStatus(record[statusAt]))}\t${cell(cleanCapitals(record[typeAt]))}\t` +
        `${cell(cleanCapitals(record[classAt]))}\t${policyCells(record[policyAt])}\t` +
        `${dateCell(record[effectiveAt], latest, tally)}\t${dateCell(record[cancelledAt], latest, tally)}\t` +
        cell(cleanText(record[insurerAt])),
    );
  };
};
