import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { readDocket, readUsdot } from "../../registry/docket.ts";
import { words } from "../layouts/layout.ts";
import { reject } from "../tally.ts";
import { policyCells, thousandsCell } from "./policy.ts";
import { type DatasetReader, latestDate } from "./row-reader.ts";

/** Legacy ActPendInsur: policies in force or future when that registry stopped, with the day on which they end. */
export const legacyActpendinsurReader: DatasetReader = {
  tableColumns: words(`
    docket usdot form_code insurance_type insurer policy_no policy_key filed_on max_coverage effective_on
    cancelled_on`),
  open: (at, { tally, coded, dates }) => {
    const [docketAt, usdotAt, formAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER"), at("INS_FORM_CODE")];
    const [typeAt, insurerAt, policyAt] = [at("INS_TYPE_DESC"), at("NAME_COMPANY"), at("POLICY_NO")];
    const amountAt = at("MAX_COV_AMOUNT");
    const latest = latestDate(LEGACY_FROZEN_ON);
    const coverOf = coded.of("INS_TYPE_DESC");
    const filedCell = dates.cell("TRANS_DATE", LEGACY_FROZEN_ON);
    const effectiveCell = dates.cell("EFFECTIVE_DATE", latest);
    const cancelledCell = dates.cell("CANCL_EFFECTIVE_DATE", latest);

    return (line) => {
      const docket = readDocket(line.field(docketAt));
      if (docket === null) return reject(tally, "no docket");
      coverOf(line.field(typeAt));
      line.cell(docket);
      line.cell(readUsdot(line.field(usdotAt)));
      line.capitals(formAt);
      line.text(typeAt);
      line.text(insurerAt);
      policyCells(line, policyAt);
      filedCell(line);
      thousandsCell(line, amountAt, tally);
      effectiveCell(line);
      cancelledCell(line);
      return true;
    };
  },
};
