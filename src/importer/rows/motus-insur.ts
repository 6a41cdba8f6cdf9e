import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanCapitals, cleanText } from "../../carriers/registry-text.ts";
import { reject } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { dollarsCell, policyCells, saysNothing } from "./policy.ts";
import { cell, dateCell, hashedLine, type RowReaderOf } from "./row-reader.ts";

/**
 * Motus Insur: policies on file, once per transaction. A row that names nothing but a docket says in a daily
 * difference that policies of it were removed, not which: it is kept with an empty policy key and all else null.
 */
export const readMotusInsur: RowReaderOf = (at, { today, tally, isDifference }) => {
  const [docketAt, usdotAt, formAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER"), at("INS_FORM_CODE")];
  const [typeAt, classAt, amountAt] = [at("INS_TYPE_CODE"), at("INS_CLASS_CODE"), at("MAX_COV_AMOUNT")];
  const [policyAt, effectiveAt] = [at("POLICY_NO"), at("EFFECTIVE_DATE")];
  const [insurerAt, filedAt] = [at("INSURANCE_COMPANY_NAME"), at("TRANS_DATE")];
  const policyFieldsAt = [formAt, typeAt, classAt, amountAt, policyAt, effectiveAt, insurerAt, filedAt];
  const latest = latestDate(today);

  return (record) => {
    const docket = readDocket(record[docketAt]);
    if (docket === null) return reject(tally, "no docket");
    const usdot = readUsdot(record[usdotAt]);
    if (saysNothing(policyFieldsAt.map((place) => record[place]))) {
      const isRemoval = isDifference && usdot === null;
      return isRemoval
        ? hashedLine(`${docket}${"\t\\N".repeat(6)}\t${"\t\\N".repeat(3)}`)
        : reject(tally, "no policy");
    }
    return hashedLine(
      `${docket}\t${cell(usdot)}\t${cell(cleanCapitals(record[formAt]))}\t${cell(cleanCapitals(record[typeAt]))}\t` +
        `${cell(cleanCapitals(record[classAt]))}\t${dollarsCell(record[amountAt], tally)}\t` +
        `${policyCells(record[policyAt])}\t${dateCell(record[effectiveAt], latest, tally)}\t` +
        `${cell(cleanText(record[insurerAt]))}\t${dateCell(record[filedAt], latest, tally)}`,
    );
  };
};
