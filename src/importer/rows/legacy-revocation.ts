import { withoutEmails } from "../../registry/contacts/contact.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { readDocket, readUsdot } from "../../registry/docket.ts";
import { cleanCapitals } from "../../registry/registry-text.ts";
import { words } from "../layouts/layout.ts";
import { reject } from "../tally.ts";
import { type DatasetReader, latestDate } from "./row-reader.ts";

/** Legacy Revocation: orders that ended an authority or were planned to, one row per authority type. */
export const legacyRevocationReader: DatasetReader = {
  tableColumns: words("docket usdot licence_type served_on order_type effective_on"),
  open: (at, { tally, dates }) => {
    const [docketAt, usdotAt, licenceAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER"), at("TYPE_LICENSE")];
    const orderAt = at("ORDER2_TYPE_DESC");
    const latestEffective = latestDate(LEGACY_FROZEN_ON);
    const servedCell = dates.cell("ORDER1_SERVE_DATE", LEGACY_FROZEN_ON);
    const effectiveCell = dates.cell("ORDER2_EFFECTIVE_DATE", latestEffective);

    return (line) => {
      const docket = readDocket(line.field(docketAt));
      const usdot = readUsdot(line.field(usdotAt));
      if (docket === null && usdot === null) return reject(tally, "neither docket nor USDOT number");
      const orderType = cleanCapitals(line.field(orderAt));
      line.cell(docket);
      line.cell(usdot);
      line.capitals(licenceAt);
      servedCell(line);
      line.cell(orderType && withoutEmails(orderType));
      effectiveCell(line);
      return true;
    };
  },
};
