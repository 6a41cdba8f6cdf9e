import { motusAuthhistReader } from "../rows/motus-authhist.ts";
import { motusBoc3Reader } from "../rows/motus-boc3.ts";
import { motusCarrierReader } from "../rows/motus-carrier.ts";
import { motusInshistReader } from "../rows/motus-inshist.ts";
import { motusInsurReader } from "../rows/motus-insur.ts";
import { motusRevokesuspendReader } from "../rows/motus-revokesuspend.ts";
import { type Layout, words } from "./layout.ts";

/** The live files of authorities, notices and insurance. A whole file and a daily difference have the same layout. */
export const MOTUS_LAYOUTS: readonly Layout[] = [
  {
    dataset: "motus_carrier",
    title: "Motus Carrier",
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE CARGO_FILE
      BOND_FILE LEGAL_NAME DBA_NAME BUS_STREET_PO BUS_CITY BUS_STATE_CODE BUS_ZIP_CODE BUS_CTRY_CODE BUS_TELNO`),
    header: words(`
      DOCKET_NUMBER USDOT_NUMBER RFC_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE
      CARGO_FILE BOND_FILE BUS_UNDELIVERABLE_MAIL MAIL_UNDELIVERABLE_MAIL DBA_NAME LEGAL_NAME BUS_STREET_PO
      BUS_COLONIA BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE BUS_ZIP_CODE BUS_TELNO MAIL_STREET_PO MAIL_COLONIA MAIL_CITY
      MAIL_STATE_CODE MAIL_CTRY_CODE MAIL_ZIP_CODE`),
    socrataIds: ["inys-ebih"],
    differenceId: "nakq-58th",
    reader: motusCarrierReader,
  },
  {
    dataset: "motus_authhist",
    title: "Motus AuthHist",
    columns: words("DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS REASON STATUS_CHANGE_DATE"),
    socrataIds: ["yu5v-wbh6"],
    differenceId: "dm5j-zc6c",
    reader: motusAuthhistReader,
  },
  {
    dataset: "motus_revokesuspend",
    title: "Motus RevokeSuspend",
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE ORDER1_SERVE_DATE ORDER1_TYPE_DESC ORDER1_EFFECTIVE_DATE`),
    socrataIds: ["wb4f-neki"],
    differenceId: "e67p-xyd5",
    reader: motusRevokesuspendReader,
  },
  {
    dataset: "motus_insur",
    title: "Motus Insur",
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT POLICY_NO EFFECTIVE_DATE
      INSURANCE_COMPANY_NAME TRANS_DATE`),
    header: words(`
      DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT UNDERL_LIM_AMOUNT POLICY_NO
      EFFECTIVE_DATE INSURANCE_COMPANY_NAME TRANS_DATE`),
    socrataIds: ["c5y8-a4uz"],
    differenceId: "x96h-evps",
    reader: motusInsurReader,
  },
  {
    dataset: "motus_inshist",
    title: "Motus InsHist",
    columns: words(`
      DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE FILING_STATUS_REASON INS_TYPE_CODE INS_CLASS_CODE POLICY_NO
      EFFECTIVE_DATE CANCL_EFFECTIVE_DATE INSURANCE_COMPANY_NAME`),
    header: words(`
      DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE FILING_STATUS_REASON INS_TYPE_CODE INS_TYPE_IND POLICY_NO INS_TYPE_DESC
      MIN_COV_AMOUNT INS_CLASS_CODE EFFECTIVE_DATE UNDERL_LIM_AMOUNT MAX_COV_AMOUNT CANCL_EFFECTIVE_DATE
      INSURANCE_COMPANY_NAME`),
    socrataIds: ["3uet-3z4i"],
    differenceId: "xe5s-wca7",
    reader: motusInshistReader,
  },
  {
    dataset: "motus_boc3",
    title: "Motus BOC3",
    columns: words("DOCKET_NUMBER USDOT_NUMBER CO_NAME STATE_CODE"),
    header: words("DOCKET_NUMBER USDOT_NUMBER CO_NAME STREET_PO CITY STATE_CODE ZIP_CODE CTRY_CODE"),
    socrataIds: ["6snj-ed7q"],
    differenceId: "mhr5-hjyc",
    reader: motusBoc3Reader,
  },
];
