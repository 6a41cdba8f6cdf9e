import { withoutEmails } from "../../carriers/contact.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanText } from "../../carriers/registry-text.ts";
import { reject } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { motusClassOf } from "./motus-status.ts";
import { cell, dateCell, hashedLine, type RowReaderOf } from "./row-reader.ts";

/** Motus RevokeSuspend: notices of orders that take effect later; voluntary ones name the company and no docket. */
export const readMotusRevokesuspend: RowReaderOf = (at, { today, tally }) => {
  const [docketAt, usdotAt, typeAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER"), at("OP_AUTH_TYPE")];
  const [servedAt, orderAt] = [at("ORDER1_SERVE_DATE"), at("ORDER1_TYPE_DESC")];
  const effectiveAt = at("ORDER1_EFFECTIVE_DATE");
  const latest = latestDate(today);
  const classOf = motusClassOf(tally);

  return (record) => {
    const docket = readDocket(record[docketAt]);
    const usdot = readUsdot(record[usdotAt]);
    if (docket === null && usdot === null) return reject(tally, "neither docket nor USDOT number");
    const orderType = cleanText(record[orderAt]);
    if (orderType === null) return reject(tally, "no order");
    const opAuthType = cleanText(record[typeAt]) ?? "";
    return hashedLine(
      `${cell(docket)}\t${cell(usdot)}\t${cell(opAuthType)}\t${classOf(opAuthType)}\t` +
        `${dateCell(record[servedAt], latest, tally)}\t${cell(withoutEmails(orderType))}\t` +
        dateCell(record[effectiveAt], latest, tally),
    );
  };
};
