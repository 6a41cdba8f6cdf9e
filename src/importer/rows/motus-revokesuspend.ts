import { withoutEmails } from "../../registry/contacts/contact.ts";
import { readDocket, readUsdot } from "../../registry/docket.ts";
import { cleanText } from "../../registry/registry-text.ts";
import { words } from "../layouts/layout.ts";
import { reject, repair } from "../tally.ts";
import { isNothingButKey } from "./motus-key.ts";
import { motusClassOf } from "./motus-status.ts";
import { type DatasetReader, latestDate } from "./row-reader.ts";

/** The order type when the registry states none. */
const UNSTATED_ORDER = "Order of a type that is not stated";

/** Motus RevokeSuspend: notices of orders that take effect later. Voluntary ones name the company but no docket. */
export const motusRevokesuspendReader: DatasetReader = {
  tableColumns: words(`
    docket usdot op_auth_type authority_class served_on order_type effective_on`),
  open: (at, options) => {
    const { today, tally, coded, dates } = options;
    const [docketAt, usdotAt, typeAt] = [at("DOCKET_NUMBER"), at("USDOT_NUMBER"), at("OP_AUTH_TYPE")];
    const [servedAt, orderAt] = [at("ORDER1_SERVE_DATE"), at("ORDER1_TYPE_DESC")];
    const effectiveAt = at("ORDER1_EFFECTIVE_DATE");
    const latest = latestDate(today);
    const classOf = motusClassOf(coded, tally);
    const kindOf = coded.of("ORDER1_TYPE_DESC");
    const servedCell = dates.cell("ORDER1_SERVE_DATE", latest);
    const effectiveCell = dates.cell("ORDER1_EFFECTIVE_DATE", latest);

    return (line) => {
      const docket = readDocket(line.field(docketAt));
      const usdot = readUsdot(line.field(usdotAt));
      if (docket === null && usdot === null) return reject(tally, "neither docket nor USDOT number");
      const opAuthType = cleanText(line.field(typeAt)) ?? "";
      if (isNothingButKey(line, [servedAt, orderAt, effectiveAt], { docket, usdot, opAuthType }, options))
        return false;
      const orderType = cleanText(line.field(orderAt));
      kindOf(line.field(orderAt));
      if (orderType === null) repair(tally, "no order type");
      line.cell(docket);
      line.cell(usdot);
      line.cell(opAuthType);
      line.cell(classOf(opAuthType));
      servedCell(line);
      line.cell(withoutEmails(orderType ?? UNSTATED_ORDER));
      effectiveCell(line);
      return true;
    };
  },
};
