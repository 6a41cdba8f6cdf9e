import { withoutEmails } from "../../carriers/contact.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanText } from "../../carriers/registry-text.ts";
import { reject } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { motusClassOf, motusStatusOf } from "./motus-status.ts";
import { dateCell, type RowReaderOf } from "./row-reader.ts";

/** Motus AuthHist: a stream of status changes, some of them by docket alone. */
export const readMotusAuthhist: RowReaderOf = (at, { today, tally }) => {
  const [docketAt, usdotAt, typeAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER"), at("OP_AUTH_TYPE")];
  const [statusAt, reasonAt, changedAt] = [at("OP_AUTH_STATUS"), at("REASON"), at("STATUS_CHANGE_DATE")];
  const latest = latestDate(today);
  const statusOf = motusStatusOf(tally);
  const classOf = motusClassOf(tally);

  return (line) => {
    const docket = readDocket(line.field(docketAt));
    if (docket === null) return reject(tally, "no docket");
    const opAuthType = cleanText(line.field(typeAt)) ?? "";
    const reason = cleanText(line.field(reasonAt));
    line.cell(docket);
    line.cell(readUsdot(line.field(usdotAt)));
    line.cell(opAuthType);
    line.cell(classOf(opAuthType));
    line.cell(statusOf(line.field(statusAt)));
    line.cell(reason && withoutEmails(reason));
    dateCell(line, changedAt, latest, tally);
    return true;
  };
};
