import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { reject } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { dollarsCell, policyCells, saysNothing } from "./policy.ts";
import { dateCell, type RowReaderOf } from "./row-reader.ts";

/** The cells of a row that names a docket (in the place of `undefined`) and nothing else. */
const REMOVAL = [undefined, ...new Array<null>(6).fill(null), "", ...new Array<null>(3).fill(null)];

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

  return (line) => {
    const docket = readDocket(line.field(docketAt));
    if (docket === null) return reject(tally, "no docket");
    const usdot = readUsdot(line.field(usdotAt));
    if (saysNothing(policyFieldsAt.map((place) => line.field(place)))) {
      if (!isDifference || usdot !== null) return reject(tally, "no policy");
      for (const value of REMOVAL) line.cell(value === undefined ? docket : value);
      return true;
    }
    line.cell(docket);
    line.cell(usdot);
    line.capitals(formAt);
    line.capitals(typeAt);
    line.capitals(classAt);
    dollarsCell(line, amountAt, tally);
    policyCells(line, policyAt);
    dateCell(line, effectiveAt, latest, tally);
    line.text(insurerAt);
    dateCell(line, filedAt, latest, tally);
    return true;
  };
};
