import { withoutEmails } from "../../registry/contacts/contact.ts";
import { CORRUPT_DATE, cleanCapitals, cleanText, readDate } from "../../registry/registry-text.ts";
import { ROW_DAY } from "../../registry/sources.ts";
import { day, twoYearsAfterFrozen, twoYearsAhead, whenFrozen } from "../rows/days.ts";
import {
  authorityType,
  capitals,
  coded,
  docket,
  motusClass,
  reason,
  shortener,
  shownText,
  shownValue,
  usdot,
} from "../rows/fields.ts";
import { type Field, fieldOf, type OfficialFile, words } from "../rows/official-file.ts";
import { nothingButKey, orderKey, usdotKey } from "../rows/row-rules.ts";
import { repair } from "../rows/tally.ts";

/** The order's type, which the registry does not always state. */
const orderType: Field = fieldOf("ORDER1_TYPE_DESC", (index, { tally }) => {
  const shorten = shortener("order_type", tally);
  return (line) => {
    const type = cleanText(line.field(index));
    if (type === null) repair(tally, "no order type");
    line.cell(shorten(withoutEmails(type ?? "Order of a type that is not stated")));
  };
});

/** Notices of orders that take effect later. Voluntary ones name the company but no docket. */
export const motusRevokesuspend: OfficialFile = {
  dataset: "motus_revokesuspend",
  title: "Motus RevokeSuspend",
  ids: ["wb4f-neki"],
  differenceId: "e67p-xyd5",
  header: words(
    "DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE ORDER1_SERVE_DATE ORDER1_TYPE_DESC ORDER1_EFFECTIVE_DATE",
  ),
  key: orderKey("USDOT_NUMBER"),
  leftOut: [nothingButKey],
  fields: {
    docket,
    usdot,
    op_auth_type: authorityType,
    authority_class: motusClass,
    served_on: day("ORDER1_SERVE_DATE", twoYearsAhead),
    order_type: coded(orderType),
    effective_on: day("ORDER1_EFFECTIVE_DATE", twoYearsAhead),
  },
  dated: [ROW_DAY.motus_revokesuspend],
};

/** Orders that ended an authority or were planned to, one row per authority type. */
export const legacyRevocation: OfficialFile = {
  dataset: "legacy_revocation",
  title: "legacy Revocation",
  ids: ["sa6p-acbp", "rwr4-5nkg"],
  header: words(
    "DOCKET_NUMBER DOT_NUMBER TYPE_LICENSE ORDER1_SERVE_DATE ORDER2_TYPE_DESC ORDER2_EFFECTIVE_DATE",
  ),
  // Names of its dictionary; some files have them.
  aliases: {
    OPERATING_AUTHORITY_REGISTRATION_TYPE: "TYPE_LICENSE",
    SERVE_DATE: "ORDER1_SERVE_DATE",
    REVOCATION_TYPE: "ORDER2_TYPE_DESC",
    EFFECTIVE_DATE: "ORDER2_EFFECTIVE_DATE",
  },
  key: orderKey("DOT_NUMBER"),
  fields: {
    docket,
    usdot,
    licence_type: capitals("TYPE_LICENSE"),
    served_on: day("ORDER1_SERVE_DATE", whenFrozen),
    order_type: shownValue("ORDER2_TYPE_DESC", "order_type", (raw) => shownText(cleanCapitals(raw))),
    effective_on: day("ORDER2_EFFECTIVE_DATE", twoYearsAfterFrozen),
  },
  dated: ["served_on"],
};

/** The day of a rescission. One before its order rescinds nothing: it stands where the registry has no day. */
const rescission: Field = {
  columns: ["RESCIND_DATE", "OOS_DATE"],
  open: (reading) => {
    const { at, tally, today } = reading;
    const [rescindedAt, orderedAt] = [at("RESCIND_DATE"), at("OOS_DATE")];
    const latest = twoYearsAhead(today);
    const write = day("RESCIND_DATE", twoYearsAhead).open(reading);
    return (line) => {
      if (!line.isBlank(rescindedAt)) {
        const [rescinded, ordered] = [rescindedAt, orderedAt].map((index) =>
          readDate(line.field(index), latest),
        );
        if (rescinded && ordered && ordered !== CORRUPT_DATE && rescinded < ordered) {
          repair(tally, "rescission before its order");
          return line.cell(null);
        }
      }
      write(line);
    };
  },
};

/**
 * Orders that put a company out of service, one row per order. An order is in force until the day of its rescission; one
 * whose rescission cannot be read stays in force.
 */
export const oosOrder: OfficialFile = {
  dataset: "oos_order",
  title: "Out-of-service orders",
  ids: ["p2mt-9ige"],
  // STATUS is that of the USDOT number, not of the order: it is not read.
  header: words("DOT_NUMBER LEGAL_NAME DBA_NAME OOS_DATE OOS_REASON STATUS RESCIND_DATE"),
  // Its name in the dictionary.
  aliases: { OOS_RESCIND_DATE: "RESCIND_DATE" },
  key: usdotKey,
  fields: {
    usdot,
    ordered_on: day("OOS_DATE", twoYearsAhead),
    reason: reason("OOS_REASON", "oos_reason"),
    rescinded_on: rescission,
  },
  dated: ["ordered_on", "rescinded_on"],
};
