import { withoutEmails } from "../../carriers/contact.ts";
import { LEGACY_FROZEN_ON } from "../../carriers/datasets.ts";
import { readDocket, readUsdot } from "../../carriers/docket.ts";
import { cleanCapitals } from "../../carriers/registry-text.ts";
import { reject } from "../tally.ts";
import { latestDate } from "./latest-date.ts";
import { cell, dateCell, hashedLine, type RowReaderOf } from "./row-reader.ts";

/** Legacy Revocation: orders that ended an authority, or were to, one row per authority type. */
export const readLegacyRevocation: RowReaderOf = (at, { tally }) => {
  const [docketAt, usdotAt, licenceAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER"), at("TYPE_LICENSE")];
  const [servedAt, orderAt] = [at("ORDER1_SERVE_DATE"), at("ORDER2_TYPE_DESC")];
  const effectiveAt = at("ORDER2_EFFECTIVE_DATE");
  const latestEffective = latestDate(LEGACY_FROZEN_ON);

  return (record) => {
    const docket = readDocket(record[docketAt]);
    const usdot = readUsdot(record[usdotAt]);
    if (docket === null && usdot === null) return reject(tally, "neither docket nor USDOT number");
    const orderType = cleanCapitals(record[orderAt]);
    return hashedLine(
      `${cell(docket)}\t${cell(usdot)}\t${cell(cleanCapitals(record[licenceAt]))}\t` +
        `${dateCell(record[servedAt], LEGACY_FROZEN_ON, tally)}\t${cell(orderType && withoutEmails(orderType))}\t` +
        dateCell(record[effectiveAt], latestEffective, tally),
    );
  };
};
