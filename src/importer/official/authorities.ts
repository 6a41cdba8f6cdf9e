import { readPhone } from "../../registry/contacts/contact.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { cleanCapitals, cleanText, readStateCode } from "../../registry/registry-text.ts";
import { ROW_DAY } from "../../registry/sources.ts";
import { UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { day, twoYearsAhead } from "../rows/days.ts";
import {
  authorityType,
  capitals,
  coded,
  country,
  docket,
  dollars,
  flag,
  flagIfKnown,
  motusClass,
  motusStatus,
  optional,
  reason,
  shownAs,
  thousands,
  usdot,
  value,
} from "../rows/fields.ts";
import { type Field, fieldOf, type OfficialFile, words } from "../rows/official-file.ts";
import { docketKey, motusKey, nothingButKey, withoutShift, withoutUsdot } from "../rows/row-rules.ts";
import { reject, repair } from "../rows/tally.ts";

/** The company, as both files of carriers name it. */
const company = {
  legal_name: shownAs("LEGAL_NAME", "company"),
  dba_name: shownAs("DBA_NAME", "dba_name"),
  street: shownAs("BUS_STREET_PO", "street"),
  city: shownAs("BUS_CITY", "city"),
  state: value("BUS_STATE_CODE", readStateCode),
  zip: shownAs("BUS_ZIP_CODE", "zip"),
  country: country("BUS_CTRY_CODE", "BUS_STATE_CODE"),
  phone: value("BUS_TELNO", readPhone),
};

const ADDRESS = { state: "BUS_STATE_CODE", zip: "BUS_ZIP_CODE", country: "BUS_CTRY_CODE" };

/** One row per operating authority. Amounts are dollars, whatever the dictionary says. */
export const motusCarrier: OfficialFile = {
  dataset: "motus_carrier",
  title: "Motus Carrier",
  ids: ["inys-ebih"],
  differenceId: "nakq-58th",
  header: words(`
    DOCKET_NUMBER USDOT_NUMBER RFC_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE
    CARGO_FILE BOND_FILE BUS_UNDELIVERABLE_MAIL MAIL_UNDELIVERABLE_MAIL DBA_NAME LEGAL_NAME BUS_STREET_PO
    BUS_COLONIA BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE BUS_ZIP_CODE BUS_TELNO MAIL_STREET_PO MAIL_COLONIA MAIL_CITY
    MAIL_STATE_CODE MAIL_CTRY_CODE MAIL_ZIP_CODE`),
  key: motusKey,
  leftOut: [nothingButKey, withoutUsdot, withoutShift(ADDRESS)],
  content: words(`
    OP_AUTH_STATUS LEGAL_NAME BUS_STREET_PO BUS_CITY BUS_STATE_CODE MIN_COV_AMOUNT BIPD_FILE CARGO_REQ`),
  fields: {
    docket,
    usdot,
    op_auth_type: authorityType,
    authority_class: motusClass,
    status: motusStatus,
    ...company,
    min_coverage: dollars("MIN_COV_AMOUNT"),
    cargo_required: flagIfKnown("CARGO_REQ"),
    bond_required: flagIfKnown("BOND_REQ"),
    bipd_on_file: dollars("BIPD_FILE"),
    cargo_on_file: flagIfKnown("CARGO_FILE"),
    bond_on_file: flagIfKnown("BOND_FILE"),
  },
};

/** A active, I inactive, N none; null for anything else, which is counted. */
const legacyStatus = (column: `${string}_STAT`): Field =>
  fieldOf(column, (index, { coded, tally }) => {
    const meaningOf = coded.of(column);
    return (line) => {
      const raw = line.field(index);
      const isKnown = meaningOf(raw) !== UNKNOWN;
      if (!isKnown) repair(tally, "unknown common, contract or broker status");
      line.cell(isKnown ? cleanCapitals(raw) : null);
    };
  });

/** One row per docket, with the status of its common, contract and broker authority. */
export const legacyCarrier: OfficialFile = {
  dataset: "legacy_carrier",
  title: "legacy Carrier",
  ids: ["6eyk-hxee", "u4i8-4m26"],
  header: words(`
    DOCKET_NUMBER DOT_NUMBER MX_TYPE RFC_NUMBER COMMON_STAT CONTRACT_STAT BROKER_STAT COMMON_APP_PEND CONTRACT_APP_PEND
    BROKER_APP_PEND COMMON_REV_PEND CONTRACT_REV_PEND BROKER_REV_PEND PROPERTY_CHK PASSENGER_CHK HHG_CHK
    PRIVATE_AUTH_CHK ENTERPRISE_CHK MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE CARGO_FILE BOND_FILE UNDELIVERABLE_MAIL
    DBA_NAME LEGAL_NAME BUS_STREET_PO BUS_COLONIA BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE BUS_ZIP_CODE BUS_TELNO BUS_FAX
    MAIL_STREET_PO MAIL_COLONIA MAIL_CITY MAIL_STATE_CODE MAIL_CTRY_CODE MAIL_ZIP_CODE MAIL_TELNO MAIL_FAX`),
  key: docketKey(),
  fields: {
    docket,
    usdot,
    common_stat: legacyStatus("COMMON_STAT"),
    contract_stat: legacyStatus("CONTRACT_STAT"),
    broker_stat: legacyStatus("BROKER_STAT"),
    common_pending: flag("COMMON_APP_PEND"),
    contract_pending: flag("CONTRACT_APP_PEND"),
    broker_pending: flag("BROKER_APP_PEND"),
    common_revoking: flag("COMMON_REV_PEND"),
    contract_revoking: flag("CONTRACT_REV_PEND"),
    broker_revoking: flag("BROKER_REV_PEND"),
    property: flag("PROPERTY_CHK"),
    passenger: flag("PASSENGER_CHK"),
    household_goods: flag("HHG_CHK"),
    ...company,
    min_coverage: optional(thousands("MIN_COV_AMOUNT")),
    bipd_on_file: optional(thousands("BIPD_FILE")),
  },
};

/** Status changes, some of them by docket without USDOT number. */
export const motusAuthhist: OfficialFile = {
  dataset: "motus_authhist",
  title: "Motus AuthHist",
  ids: ["yu5v-wbh6"],
  differenceId: "dm5j-zc6c",
  header: words("DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS REASON STATUS_CHANGE_DATE"),
  key: motusKey,
  leftOut: [nothingButKey],
  fields: {
    docket,
    usdot,
    op_auth_type: authorityType,
    authority_class: motusClass,
    status: motusStatus,
    reason: reason("REASON", "reason"),
    changed_on: day("STATUS_CHANGE_DATE", twoYearsAhead),
  },
  dated: [ROW_DAY.motus_authhist],
};

// YYYY-MM-DD texts sort like days.
const latestOfHistory = (today: string): string =>
  [twoYearsAhead(today), LEGACY_FROZEN_ON].sort()[0] ?? LEGACY_FROZEN_ON;

/** The class by the docket for a freight forwarder, since the file uses the words of carriers for it too. */
const legacyClass: Field = fieldOf("OP_AUTH_TYPE", (index, { coded, row, tally }) => {
  const classOf = coded.of("OP_AUTH_TYPE");
  return (line) => {
    const isForwarder = row.docket?.startsWith("FF");
    const authorityClass = isForwarder ? "freight_forwarder" : classOf(cleanText(line.field(index)) ?? "");
    if (authorityClass === UNKNOWN) repair(tally, "unknown authority type");
    line.cell(authorityClass);
  };
});

/** The action that began an authority or a proceeding and, if any, its final action. */
export const legacyAuthhist: OfficialFile = {
  dataset: "legacy_authhist",
  title: "legacy AuthHist",
  ids: ["9mw4-x3tu", "wahn-z3rq"],
  header: words(`
    DOCKET_NUMBER DOT_NUMBER SUB_NUMBER OP_AUTH_TYPE ORIGINAL_ACTION_DESC ORIG_SERVED_DATE DISP_ACTION_DESC
    DISP_DECIDED_DATE DISP_SERVED_DATE`),
  aliases: { MOD_COL_1: "OP_AUTH_TYPE" },
  key: docketKey(),
  leftOut: [
    {
      columns: [],
      open: ({ at, tally }) => {
        const index = at("ORIGINAL_ACTION_DESC");
        return (line) => cleanText(line.field(index)) !== null || reject(tally, "no action");
      },
    },
  ],
  fields: {
    docket,
    usdot,
    op_auth_type: authorityType,
    authority_class: legacyClass,
    action: coded(capitals("ORIGINAL_ACTION_DESC")),
    action_on: day("ORIG_SERVED_DATE", latestOfHistory),
    final_action: coded(capitals("DISP_ACTION_DESC")),
    final_on: day("DISP_SERVED_DATE", latestOfHistory),
  },
  dated: ["action_on", "final_on"],
};
