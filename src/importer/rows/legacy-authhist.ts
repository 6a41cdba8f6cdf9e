import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { readDocket, readUsdot } from "../../registry/docket.ts";
import { cleanCapitals, cleanText } from "../../registry/registry-text.ts";
import { UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { words } from "../layouts/layout.ts";
import { reject, repair } from "../tally.ts";
import { type DatasetReader, latestDate } from "./row-reader.ts";

/** Legacy AuthHist: the action that began an authority or a proceeding and, if any, its final action. */
export const legacyAuthhistReader: DatasetReader = {
  tableColumns: words(`
    docket usdot op_auth_type authority_class action action_on final_action final_on`),
  open: (at, { today, tally, coded, dates }) => {
    const [docketAt, usdotAt, typeAt] = [at("DOCKET_NUMBER"), at("DOT_NUMBER"), at("OP_AUTH_TYPE")];
    const [actionAt, finalAt] = [at("ORIGINAL_ACTION_DESC"), at("DISP_ACTION_DESC")];
    // YYYY-MM-DD texts sort like days.
    const [latest = LEGACY_FROZEN_ON] = [latestDate(today), LEGACY_FROZEN_ON].sort();
    const classOf = coded.of("OP_AUTH_TYPE");
    const [meaningOfAction, meaningOfFinal] = [
      coded.of("ORIGINAL_ACTION_DESC"),
      coded.of("DISP_ACTION_DESC"),
    ];
    const actionOnCell = dates.cell("ORIG_SERVED_DATE", latest);
    const finalOnCell = dates.cell("DISP_SERVED_DATE", latest);

    return (line) => {
      const docket = readDocket(line.field(docketAt));
      if (docket === null) return reject(tally, "no docket");
      const action = cleanCapitals(line.field(actionAt));
      if (action === null) return reject(tally, "no action");
      const opAuthType = cleanText(line.field(typeAt)) ?? "";
      // The file uses the words of carriers for a freight forwarder's authority too.
      const authorityClass = docket.startsWith("FF") ? "freight_forwarder" : classOf(opAuthType);
      meaningOfAction(line.field(actionAt));
      meaningOfFinal(line.field(finalAt));
      if (authorityClass === UNKNOWN) repair(tally, "unknown authority type");
      line.cell(docket);
      line.cell(readUsdot(line.field(usdotAt)));
      line.cell(opAuthType);
      line.cell(authorityClass);
      line.cell(action);
      actionOnCell(line);
      line.capitals(finalAt);
      finalOnCell(line);
      return true;
    };
  },
};
