import { withoutEmails } from "../../registry/contacts/contact.ts";
import { cleanText } from "../../registry/registry-text.ts";
import { words } from "../layouts/layout.ts";
import { isNothingButKey, readMotusKey } from "./motus-key.ts";
import { motusClassOf, motusStatusOf } from "./motus-status.ts";
import { type DatasetReader, latestDate } from "./row-reader.ts";

/** Motus AuthHist: status changes, some of them by docket without USDOT number. */
export const motusAuthhistReader: DatasetReader = {
  tableColumns: words("docket usdot op_auth_type authority_class status reason changed_on"),
  open: (at, options) => {
    const { today, tally, coded, dates } = options;
    const [docketAt, usdotAt, typeAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER"), at("OP_AUTH_TYPE")];
    const [statusAt, reasonAt, changedAt] = [at("OP_AUTH_STATUS"), at("REASON"), at("STATUS_CHANGE_DATE")];
    const latest = latestDate(today);
    const statusOf = motusStatusOf(coded, tally);
    const classOf = motusClassOf(coded, tally);
    const meaningOfReason = coded.of("REASON");
    const changedCell = dates.cell("STATUS_CHANGE_DATE", latest);

    return (line) => {
      const key = readMotusKey(line, docketAt, usdotAt, tally);
      if (!key) return false;
      const opAuthType = cleanText(line.field(typeAt)) ?? "";
      if (isNothingButKey(line, [statusAt, reasonAt, changedAt], { ...key, opAuthType }, options))
        return false;
      const reason = cleanText(line.field(reasonAt));
      meaningOfReason(line.field(reasonAt));
      line.cell(key.docket);
      line.cell(key.usdot);
      line.cell(opAuthType);
      line.cell(classOf(opAuthType));
      line.cell(statusOf(line.field(statusAt)));
      line.cell(reason && withoutEmails(reason));
      changedCell(line);
      return true;
    };
  },
};
