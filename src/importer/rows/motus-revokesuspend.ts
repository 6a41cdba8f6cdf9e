import { withoutEmails } from "../../carriers/contact.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanText } from "../../carriers/registry-text.ts";
import { reject } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { motusClassOf } from "./motus-status.ts";
import { dateCell, type RowReaderOf } from "./row-reader.ts";

/** Motus RevokeSuspend: notices of orders that take effect later; voluntary ones name the company and no docket. */
export const readMotusRevokesuspend: RowReaderOf = (at, { today, tally }) => {
  const [docketAt, usdotAt, typeAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER"), at("OP_AUTH_TYPE")];
  const [servedAt, orderAt] = [at("ORDER1_SERVE_DATE"), at("ORDER1_TYPE_DESC")];
  const effectiveAt = at("ORDER1_EFFECTIVE_DATE");
  const latest = latestDate(today);
  const classOf = motusClassOf(tally);

  return (line) => {
    const docket = readDocket(line.field(docketAt));
    const usdot = readUsdot(line.field(usdotAt));
    if (docket === null && usdot === null) return reject(tally, "neither docket nor USDOT number");
    const orderType = cleanText(line.field(orderAt));
    if (orderType === null) return reject(tally, "no order");
    const opAuthType = cleanText(line.field(typeAt)) ?? "";
    line.cell(docket);
    line.cell(usdot);
    line.cell(opAuthType);
    line.cell(classOf(opAuthType));
    dateCell(line, servedAt, latest, tally);
    line.cell(withoutEmails(orderType));
    dateCell(line, effectiveAt, latest, tally);
    return true;
  };
};
