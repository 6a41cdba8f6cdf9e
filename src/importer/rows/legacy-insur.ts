import { LEGACY_FROZEN_ON } from "../../carriers/datasets.ts";
import { readDocket } from "../../carriers/docket.ts";
import { cleanCapitals, cleanText } from "../../carriers/registry-text.ts";
import { reject } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { policyCells, saysNothing, thousandsCell } from "./policy.ts";
import { cell, dateCell, hashedLine, type RowReaderOf } from "./row-reader.ts";

/** Legacy Insur: policies on file when that registry stopped, by docket alone. */
export const readLegacyInsur: RowReaderOf = (at, { tally }) => {
  const docketAt = at("PREFIX_DOCKET_NUMBER");
  const [typeAt, classAt, amountAt] = [at("INS_TYPE_CODE"), at("INS_CLASS_CODE"), at("MAX_COV_AMOUNT")];
  const [policyAt, effectiveAt] = [at("POLICY_NO"), at("EFFECTIVE_DATE")];
  const [formAt, insurerAt] = [at("INS_FORM_CODE"), at("NAME_COMPANY")];
  const policyFieldsAt = [typeAt, classAt, amountAt, policyAt, effectiveAt, formAt, insurerAt];
  const latest = latestDate(LEGACY_FROZEN_ON);

  return (record) => {
    const docket = readDocket(record[docketAt]);
    if (docket === null) return reject(tally, "no docket");
    if (saysNothing(policyFieldsAt.map((place) => record[place]))) return reject(tally, "no policy");
    return hashedLine(
      `${docket}\t${cell(cleanCapitals(record[typeAt]))}\t${cell(cleanCapitals(record[classAt]))}\t` +
        `${thousandsCell(record[amountAt], tally)}\t${policyCells(record[policyAt])}\t` +
        `${dateCell(record[effectiveAt], latest, tally)}\t${cell(cleanCapitals(record[formAt]))}\t` +
        cell(cleanText(record[insurerAt])),
    );
  };
};
