import { LEGACY_FROZEN_ON } from "../../carriers/datasets.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanCapitals, cleanText } from "../../carriers/registry-text.ts";
import { reject } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { policyCells, thousandsCell } from "./policy.ts";
import { cell, dateCell, hashedLine, type RowReaderOf } from "./row-reader.ts";

/** Legacy ActPendInsur: policies in force or to come when that registry stopped, with the day they end. */
export const readLegacyActpendinsur: RowReaderOf = (at, { tally }) => {
  const [docketAt, usdotAt, formAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER"), at("INS_FORM_CODE")];
  const [typeAt, insurerAt, policyAt] = [at("INS_TYPE_DESC"), at("NAME_COMPANY"), at("POLICY_NO")];
  const [filedAt, amountAt] = [at("TRANS_DATE"), at("MAX_COV_AMOUNT")];
  const [effectiveAt, cancelledAt] = [at("EFFECTIVE_DATE"), at("CANCL_EFFECTIVE_DATE")];
  const latest = latestDate(LEGACY_FROZEN_ON);

  return (record) => {
    const docket = readDocket(record[docketAt]);
    if (docket === null) return reject(tally, "no docket");
    return hashedLine(
      `${docket}\t${cell(readUsdot(record[usdotAt]))}\t${cell(cleanCapitals(record[formAt]))}\t` +
        `${cell(cleanText(record[typeAt]))}\t${cell(cleanText(record[insurerAt]))}\t` +
        `${policyCells(record[policyAt])}\t${dateCell(record[filedAt], LEGACY_FROZEN_ON, tally)}\t` +
        `${thousandsCell(record[amountAt], tally)}\t${dateCell(record[effectiveAt], latest, tally)}\t` +
        dateCell(record[cancelledAt], latest, tally),
    );
  };
};
