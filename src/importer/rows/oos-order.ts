import { withoutEmails } from "../../registry/contacts/contact.ts";
import { readUsdot } from "../../registry/docket.ts";
import { cleanText } from "../../registry/registry-text.ts";
import { words } from "../layouts/layout.ts";
import { reject } from "../tally.ts";
import { type DatasetReader, latestDate } from "./row-reader.ts";

/**
 * Orders that put a company out of service, one row per order. An order is in force until the day of its rescission; one
 * whose rescission cannot be read stays in force.
 */
export const oosOrderReader: DatasetReader = {
  tableColumns: words("usdot ordered_on reason rescinded_on"),
  open: (at, { today, tally, coded, dates }) => {
    const [usdotAt, reasonAt] = [at("DOT_NUMBER"), at("OOS_REASON")];
    const latest = latestDate(today);
    const kindOf = coded.of("OOS_REASON");
    const orderedCell = dates.cell("OOS_DATE", latest);
    const rescindedCell = dates.cell("RESCIND_DATE", latest);

    return (line) => {
      const usdot = readUsdot(line.field(usdotAt));
      if (usdot === null) return reject(tally, "no USDOT number");
      const reason = cleanText(line.field(reasonAt));
      kindOf(line.field(reasonAt));
      line.cell(usdot);
      orderedCell(line);
      line.cell(reason && withoutEmails(reason));
      rescindedCell(line);
      return true;
    };
  },
};
