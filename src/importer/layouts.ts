import type { Dataset } from "../carriers/datasets.ts";
import { readCensus } from "./rows/census.ts";
import { readLegacyAuthhist } from "./rows/legacy-authhist.ts";
import { readLegacyCarrier } from "./rows/legacy-carrier.ts";
import { readMotusAuthhist } from "./rows/motus-authhist.ts";
import { readMotusCarrier } from "./rows/motus-carrier.ts";
import type { RowReaderOf } from "./rows/row-reader.ts";

/** A registry file that is imported: how it is told from others and how its rows are read. */
export interface Layout {
  dataset: Dataset;
  title: string;
  /** The columns the import uses, as in the header of the portal's CSV; a file that lacks one is refused. */
  columns: readonly string[];
  /** Names that the portal's JSON has for some of them. */
  aliases?: Readonly<Record<string, string>>;
  /** The columns of the text file without header, in its order. */
  textColumns?: readonly string[];
  /** The portal's ids of the whole file, CSV and text. */
  socrataIds: readonly string[];
  readerOf: RowReaderOf;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

const LEGACY_CARRIER_COLUMNS = words(`
  DOCKET_NUMBER DOT_NUMBER MX_TYPE RFC_NUMBER COMMON_STAT CONTRACT_STAT BROKER_STAT COMMON_APP_PEND CONTRACT_APP_PEND
  BROKER_APP_PEND COMMON_REV_PEND CONTRACT_REV_PEND BROKER_REV_PEND PROPERTY_CHK PASSENGER_CHK HHG_CHK
  PRIVATE_AUTH_CHK ENTERPRISE_CHK MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE CARGO_FILE BOND_FILE UNDELIVERABLE_MAIL
  DBA_NAME LEGAL_NAME BUS_STREET_PO BUS_COLONIA BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE BUS_ZIP_CODE BUS_TELNO BUS_FAX
  MAIL_STREET_PO MAIL_COLONIA MAIL_CITY MAIL_STATE_CODE MAIL_CTRY_CODE MAIL_ZIP_CODE MAIL_TELNO MAIL_FAX`);

export const LAYOUTS: readonly Layout[] = [
  {
    dataset: "census",
    title: "Company Census File",
    columns: words(`
      DOT_NUMBER STATUS_CODE LEGAL_NAME DBA_NAME PHY_STREET PHY_CITY PHY_STATE PHY_ZIP PHY_CNTY PHY_COUNTRY PHONE
      CELL_PHONE EMAIL_ADDRESS POWER_UNITS TOTAL_DRIVERS CRGO_GENFREIGHT CARRIER_OPERATION`),
    socrataIds: ["az4n-8mr2"],
    readerOf: readCensus,
  },
  {
    dataset: "motus_carrier",
    title: "Motus Carrier",
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS LEGAL_NAME DBA_NAME BUS_STREET_PO BUS_CITY BUS_STATE_CODE
      BUS_ZIP_CODE BUS_CTRY_CODE BUS_TELNO`),
    socrataIds: ["inys-ebih"],
    readerOf: readMotusCarrier,
  },
  {
    dataset: "motus_authhist",
    title: "Motus AuthHist",
    columns: words("DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS REASON STATUS_CHANGE_DATE"),
    socrataIds: ["yu5v-wbh6"],
    readerOf: readMotusAuthhist,
  },
  {
    dataset: "legacy_carrier",
    title: "legacy Carrier",
    columns: LEGACY_CARRIER_COLUMNS.filter((column) =>
      /^(DOCKET|DOT|LEGAL|DBA)_|_(STAT|APP_PEND|REV_PEND)$|^(PROPERTY|PASSENGER|HHG)_CHK$|^BUS_(?!COLONIA|FAX)/.test(
        column,
      ),
    ),
    textColumns: LEGACY_CARRIER_COLUMNS,
    socrataIds: ["6eyk-hxee", "u4i8-4m26"],
    readerOf: readLegacyCarrier,
  },
  {
    dataset: "legacy_authhist",
    title: "legacy AuthHist",
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER OP_AUTH_TYPE ORIGINAL_ACTION_DESC ORIG_SERVED_DATE DISP_ACTION_DESC DISP_SERVED_DATE`),
    aliases: { MOD_COL_1: "OP_AUTH_TYPE" },
    textColumns: words(`
      DOCKET_NUMBER DOT_NUMBER SUB_NUMBER OP_AUTH_TYPE ORIGINAL_ACTION_DESC ORIG_SERVED_DATE DISP_ACTION_DESC
      DISP_DECIDED_DATE DISP_SERVED_DATE`),
    socrataIds: ["9mw4-x3tu", "wahn-z3rq"],
    readerOf: readLegacyAuthhist,
  },
];

/** A registry file that is known and not read. */
export interface UnusedLayout {
  title: string;
  columns: readonly string[];
  socrataIds: readonly string[];
}

export const UNUSED_LAYOUTS: readonly UnusedLayout[] = [
  {
    title: "legacy Revocation",
    columns: words(
      "DOCKET_NUMBER DOT_NUMBER TYPE_LICENSE ORDER1_SERVE_DATE ORDER2_TYPE_DESC ORDER2_EFFECTIVE_DATE",
    ),
    socrataIds: ["sa6p-acbp", "rwr4-5nkg", "pivg-szje"],
  },
  {
    // The same file with the names its dictionary gives.
    title: "legacy Revocation",
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER OPERATING_AUTHORITY_REGISTRATION_TYPE SERVE_DATE REVOCATION_TYPE EFFECTIVE_DATE`),
    socrataIds: [],
  },
  {
    title: "Motus RevokeSuspend",
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE ORDER1_SERVE_DATE ORDER1_TYPE_DESC ORDER1_EFFECTIVE_DATE`),
    socrataIds: ["wb4f-neki", "e67p-xyd5"],
  },
  {
    title: "legacy Insur",
    columns: words(`
      PREFIX_DOCKET_NUMBER INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT UNDERL_LIM_AMOUNT POLICY_NO EFFECTIVE_DATE
      INS_FORM_CODE NAME_COMPANY`),
    socrataIds: ["ypjt-5ydn", "xkn3-5fci", "mzmm-6xep"],
  },
  {
    title: "Motus Insur",
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT UNDERL_LIM_AMOUNT POLICY_NO
      EFFECTIVE_DATE INSURANCE_COMPANY_NAME TRANS_DATE`),
    socrataIds: ["c5y8-a4uz", "x96h-evps"],
  },
  {
    title: "legacy ActPendInsur",
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE INS_TYPE_DESC NAME_COMPANY POLICY_NO TRANS_DATE UNDERL_LIM_AMOUNT
      MAX_COV_AMOUNT EFFECTIVE_DATE CANCL_EFFECTIVE_DATE`),
    socrataIds: ["qh9u-swkp", "y77m-3nfx", "chgs-tx6x"],
  },
  {
    title: "legacy InsHist",
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE CANCL_METHOD_GEN INS_CANCL_FORM INS_TYPE_IND INS_TYPE_DESC POLICY_NO
      MIN_COV_AMOUNT INS_CLASS_CODE EFFECTIVE_DATE UNDERL_LIM_AMOUNT MAX_COV_AMOUNT CANCL_EFFECTIVE_DATE CANCL_METHOD
      INSER_BRANCH NAME_COMPANY`),
    socrataIds: ["6sqe-dvqs", "nzpz-e5xn", "xkmg-ff2t"],
  },
  {
    title: "Motus InsHist",
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE FILING_STATUS_REASON INS_TYPE_CODE INS_TYPE_IND POLICY_NO INS_TYPE_DESC
      MIN_COV_AMOUNT INS_CLASS_CODE EFFECTIVE_DATE UNDERL_LIM_AMOUNT MAX_COV_AMOUNT CANCL_EFFECTIVE_DATE
      INSURANCE_COMPANY_NAME`),
    socrataIds: ["3uet-3z4i", "xe5s-wca7"],
  },
  {
    title: "legacy BOC3",
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER CO_NAME ATTN_TO_OR_TITLE STREET_PO CITY STATE_CODE CTRY_CODE ZIP_CODE`),
    socrataIds: ["2emp-mxtb", "gmxu-awv7", "fb8g-ngam"],
  },
  {
    title: "Motus BOC3",
    columns: words("DOCKET_NUMBER USDOT_NUMBER CO_NAME STREET_PO CITY STATE_CODE ZIP_CODE CTRY_CODE"),
    socrataIds: ["6snj-ed7q", "mhr5-hjyc"],
  },
  {
    title: "legacy Rejected",
    columns: words(`
      DOCKET_NUMBER DOT_NUMBER INS_FORM_CODE INS_TYPE_DESC POLICY_NO RECV_DATE INS_CLASS_CODE INS_TYPE_IND
      UNDERL_LIM_AMOUNT MAX_COV_AMOUNT REJ_DATE INSER_BRANCH NAME_COMPANY REJ_REASONS MIN_COV_AMOUNT`),
    socrataIds: ["96tg-4mhf", "9m5y-imtw", "t3zq-c6n3"],
  },
  {
    title: "SMS census",
    columns: words(`
      DOT_NUMBER LEGAL_NAME DBA_NAME CARRIER_OPERATION HM_FLAG PC_FLAG PHY_STREET PHY_CITY PHY_STATE PHY_ZIP
      PHY_COUNTRY MAILING_STREET MAILING_CITY TELEPHONE EMAIL_ADDRESS MCS150_DATE NBR_POWER_UNIT DRIVER_TOTAL`),
    socrataIds: ["kjg3-diqy"],
  },
  {
    title: "daily difference of a file that is imported whole",
    columns: [],
    socrataIds: ["nakq-58th", "dm5j-zc6c", "6qg9-x4f8", "sn3k-dnx7"],
  },
];
