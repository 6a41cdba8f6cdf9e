import { legacyActpendinsurReader } from "../rows/legacy-actpendinsur.ts";
import { legacyAuthhistReader } from "../rows/legacy-authhist.ts";
import { legacyBoc3Reader } from "../rows/legacy-boc3.ts";
import { legacyCarrierReader } from "../rows/legacy-carrier.ts";
import { legacyInshistReader } from "../rows/legacy-inshist.ts";
import { legacyInsurReader } from "../rows/legacy-insur.ts";
import { legacyRevocationReader } from "../rows/legacy-revocation.ts";
import { type Layout, words } from "./layout.ts";

const CARRIER_HEADER = words(`
  DOCKET_NUMBER DOT_NUMBER MX_TYPE RFC_NUMBER COMMON_STAT CONTRACT_STAT BROKER_STAT COMMON_APP_PEND CONTRACT_APP_PEND
  BROKER_APP_PEND COMMON_REV_PEND CONTRACT_REV_PEND BROKER_REV_PEND PROPERTY_CHK PASSENGER_CHK HHG_CHK
  PRIVATE_AUTH_CHK ENTERPRISE_CHK MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE CARGO_FILE BOND_FILE UNDELIVERABLE_MAIL
  DBA_NAME LEGAL_NAME BUS_STREET_PO BUS_COLONIA BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE BUS_ZIP_CODE BUS_TELNO BUS_FAX
  MAIL_STREET_PO MAIL_COLONIA MAIL_CITY MAIL_STATE_CODE MAIL_CTRY_CODE MAIL_ZIP_CODE MAIL_TELNO MAIL_FAX`);

/** The files of the legacy registry, which stopped on 2026-05-14. Each also exists as a text file without header. */
export const LEGACY_LAYOUTS: readonly Layout[] = [
  {
    dataset: "legacy_carrier",
    title: "legacy Carrier",
    columns: CARRIER_HEADER.filter((column) =>
      /^(DOCKET|DOT|LEGAL|DBA)_|_(STAT|APP_PEND|REV_PEND)$|^(PROPERTY|PASSENGER|HHG)_CHK$|^BUS_(?!COLONIA|FAX)/.test(
        column,
      ),
    ),
    optionalColumns: ["MIN_COV_AMOUNT", "BIPD_FILE"],
    header: CARRIER_HEADER,
    socrataIds: ["6eyk-hxee", "u4i8-4m26"],
    reader: legacyCarrierReader,
  },
  {
    dataset: "legacy_authhist",
    title: "legacy AuthHist",
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER OP_AUTH_TYPE ORIGINAL_ACTION_DESC ORIG_SERVED_DATE DISP_ACTION_DESC DISP_SERVED_DATE`),
    aliases: { MOD_COL_1: "OP_AUTH_TYPE" },
    header: words(`
      DOCKET_NUMBER DOT_NUMBER SUB_NUMBER OP_AUTH_TYPE ORIGINAL_ACTION_DESC ORIG_SERVED_DATE DISP_ACTION_DESC
      DISP_DECIDED_DATE DISP_SERVED_DATE`),
    socrataIds: ["9mw4-x3tu", "wahn-z3rq"],
    reader: legacyAuthhistReader,
  },
  {
    dataset: "legacy_revocation",
    title: "legacy Revocation",
    columns: words(
      "DOCKET_NUMBER DOT_NUMBER TYPE_LICENSE ORDER1_SERVE_DATE ORDER2_TYPE_DESC ORDER2_EFFECTIVE_DATE",
    ),
    // Names of its dictionary; some files have them.
    aliases: {
      OPERATING_AUTHORITY_REGISTRATION_TYPE: "TYPE_LICENSE",
      SERVE_DATE: "ORDER1_SERVE_DATE",
      REVOCATION_TYPE: "ORDER2_TYPE_DESC",
      EFFECTIVE_DATE: "ORDER2_EFFECTIVE_DATE",
    },
    header: words(
      "DOCKET_NUMBER DOT_NUMBER TYPE_LICENSE ORDER1_SERVE_DATE ORDER2_TYPE_DESC ORDER2_EFFECTIVE_DATE",
    ),
    socrataIds: ["sa6p-acbp", "rwr4-5nkg"],
    reader: legacyRevocationReader,
  },
  {
    dataset: "legacy_insur",
    title: "legacy Insur",
    columns: words(`
      PREFIX_DOCKET_NUMBER INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT POLICY_NO EFFECTIVE_DATE INS_FORM_CODE
      NAME_COMPANY`),
    header: words(`
      PREFIX_DOCKET_NUMBER INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT UNDERL_LIM_AMOUNT POLICY_NO EFFECTIVE_DATE
      INS_FORM_CODE NAME_COMPANY`),
    socrataIds: ["ypjt-5ydn", "xkn3-5fci"],
    reader: legacyInsurReader,
  },
  {
    dataset: "legacy_actpendinsur",
    title: "legacy ActPendInsur",
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE INS_TYPE_DESC NAME_COMPANY POLICY_NO TRANS_DATE MAX_COV_AMOUNT
      EFFECTIVE_DATE CANCL_EFFECTIVE_DATE`),
    aliases: { MOD_COL_1: "INS_TYPE_DESC" },
    header: words(`
      DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE INS_TYPE_DESC NAME_COMPANY POLICY_NO TRANS_DATE UNDERL_LIM_AMOUNT
      MAX_COV_AMOUNT EFFECTIVE_DATE CANCL_EFFECTIVE_DATE`),
    socrataIds: ["qh9u-swkp", "y77m-3nfx"],
    reader: legacyActpendinsurReader,
  },
  {
    dataset: "legacy_inshist",
    title: "legacy InsHist",
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE CANCL_METHOD_GEN INS_TYPE_DESC POLICY_NO EFFECTIVE_DATE
      CANCL_EFFECTIVE_DATE CANCL_METHOD NAME_COMPANY`),
    aliases: {
      MOD_COL_1: "CANCL_METHOD_GEN",
      MOD_COL_2: "INS_TYPE_IND",
      MOD_COL_3: "INS_TYPE_DESC",
      MOD_COL_4: "UNDERL_LIM_AMOUNT",
      MOD_COL_5: "MAX_COV_AMOUNT",
    },
    header: words(`
      DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE CANCL_METHOD_GEN INS_CANCL_FORM INS_TYPE_IND INS_TYPE_DESC POLICY_NO
      MIN_COV_AMOUNT INS_CLASS_CODE EFFECTIVE_DATE UNDERL_LIM_AMOUNT MAX_COV_AMOUNT CANCL_EFFECTIVE_DATE CANCL_METHOD
      INSER_BRANCH NAME_COMPANY`),
    socrataIds: ["6sqe-dvqs", "nzpz-e5xn"],
    reader: legacyInshistReader,
  },
  {
    dataset: "legacy_boc3",
    title: "legacy BOC3",
    columns: words("DOCKET_NUMBER DOT_NUMBER CO_NAME STATE_CODE"),
    header: words(
      "DOCKET_NUMBER DOT_NUMBER CO_NAME ATTN_TO_OR_TITLE STREET_PO CITY STATE_CODE CTRY_CODE ZIP_CODE",
    ),
    socrataIds: ["2emp-mxtb", "gmxu-awv7"],
    reader: legacyBoc3Reader,
  },
];
