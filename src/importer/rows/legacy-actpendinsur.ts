import { LEGACY_FROZEN_ON } from "../../carriers/datasets.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { reject } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { policyCells, thousandsCell } from "./policy.ts";
import { dateCell, type RowReaderOf } from "./row-reader.ts";

/** Legacy ActPendInsur: policies in force or to come when that registry stopped, with the day they end. */
export const readLegacyActpendinsur: RowReaderOf = (at, { tally }) => {
  const [docketAt, usdotAt, formAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER"), at("INS_FORM_CODE")];
  const [typeAt, insurerAt, policyAt] = [at("INS_TYPE_DESC"), at("NAME_COMPANY"), at("POLICY_NO")];
  const [filedAt, amountAt] = [at("TRANS_DATE"), at("MAX_COV_AMOUNT")];
  const [effectiveAt, cancelledAt] = [at("EFFECTIVE_DATE"), at("CANCL_EFFECTIVE_DATE")];
  const latest = latestDate(LEGACY_FROZEN_ON);

  return (line) => {
    const docket = readDocket(line.field(docketAt));
    if (docket === null) return reject(tally, "no docket");
    line.cell(docket);
    line.cell(readUsdot(line.field(usdotAt)));
    line.capitals(formAt);
    line.text(typeAt);
    line.text(insurerAt);
    policyCells(line, policyAt);
    dateCell(line, filedAt, LEGACY_FROZEN_ON, tally);
    thousandsCell(line, amountAt, tally);
    dateCell(line, effectiveAt, latest, tally);
    dateCell(line, cancelledAt, latest, tally);
    return true;
  };
};
