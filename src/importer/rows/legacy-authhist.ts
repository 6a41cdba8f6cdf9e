import { legacyAuthorityClass } from "../../carriers/authority-class.ts";
import { LEGACY_FROZEN_ON } from "../../carriers/datasets.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanCapitals, cleanText } from "../../carriers/registry-text.ts";
import { reject, repair } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { dateCell, type RowReaderOf, remembered } from "./row-reader.ts";

/** Legacy AuthHist: what began an authority or a proceeding and, where there is one, its final action. */
export const readLegacyAuthhist: RowReaderOf = (at, { today, tally }) => {
  const [docketAt, usdotAt, typeAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER"), at("OP_AUTH_TYPE")];
  const [actionAt, actionOnAt] = [at("ORIGINAL_ACTION_DESC"), at("ORIG_SERVED_DATE")];
  const [finalAt, finalOnAt] = [at("DISP_ACTION_DESC"), at("DISP_SERVED_DATE")];
  // Days as text sort as days.
  const [latest = LEGACY_FROZEN_ON] = [latestDate(today), LEGACY_FROZEN_ON].sort();
  const carrierClassOf = remembered((wording) => legacyAuthorityClass("MC", wording));
  const forwarderClassOf = remembered((wording) => legacyAuthorityClass("FF", wording));

  return (line) => {
    const docket = readDocket(line.field(docketAt));
    if (docket === null) return reject(tally, "no docket");
    const action = cleanCapitals(line.field(actionAt));
    if (action === null) return reject(tally, "no action");
    const opAuthType = cleanText(line.field(typeAt)) ?? "";
    const authorityClass = (docket.startsWith("FF") ? forwarderClassOf : carrierClassOf)(opAuthType);
    if (authorityClass === "unknown") repair(tally, "unknown authority type");
    line.cell(docket);
    line.cell(readUsdot(line.field(usdotAt)));
    line.cell(opAuthType);
    line.cell(authorityClass);
    line.cell(action);
    dateCell(line, actionOnAt, latest, tally);
    line.capitals(finalAt);
    dateCell(line, finalOnAt, latest, tally);
    return true;
  };
};
