import { DATASETS, type Dataset } from "../../../../src/registry/datasets.ts";

/** CSV of rows by column, with the header given; every field quoted. */
function csv(columns: readonly string[], rows: readonly Record<string, string>[]): string {
  const line = (fields: readonly string[]) =>
    `${fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(",")}\n`;
  return line(columns) + rows.map((row) => line(columns.map((column) => row[column] ?? ""))).join("");
}

const HEADERS: Record<Dataset, readonly string[]> = {
  census: columns(`
    STATUS_CODE DOT_NUMBER CARRIER_OPERATION PHONE CELL_PHONE POWER_UNITS TOTAL_DRIVERS LEGAL_NAME DBA_NAME
    PHY_STREET PHY_CITY PHY_COUNTRY PHY_STATE PHY_ZIP PHY_CNTY EMAIL_ADDRESS CRGO_GENFREIGHT
    ADD_DATE MCS150_DATE`),
  motus_carrier: columns(`
    DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS MIN_COV_AMOUNT CARGO_REQ BOND_REQ BIPD_FILE CARGO_FILE
    BOND_FILE DBA_NAME LEGAL_NAME BUS_STREET_PO BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE BUS_ZIP_CODE BUS_TELNO`),
  motus_authhist: columns("DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS REASON STATUS_CHANGE_DATE"),
  motus_revokesuspend: columns(`
    DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE ORDER1_SERVE_DATE ORDER1_TYPE_DESC ORDER1_EFFECTIVE_DATE`),
  motus_insur: columns(`
    DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE INS_TYPE_CODE INS_CLASS_CODE MAX_COV_AMOUNT UNDERL_LIM_AMOUNT POLICY_NO
    EFFECTIVE_DATE INSURANCE_COMPANY_NAME TRANS_DATE`),
  motus_inshist: columns(`
    DOCKET_NUMBER USDOT_NUMBER INS_FORM_CODE FILING_STATUS_REASON INS_TYPE_CODE INS_TYPE_IND POLICY_NO INS_TYPE_DESC
    MIN_COV_AMOUNT INS_CLASS_CODE EFFECTIVE_DATE UNDERL_LIM_AMOUNT MAX_COV_AMOUNT CANCL_EFFECTIVE_DATE
    INSURANCE_COMPANY_NAME`),
  legacy_carrier: columns(`
    DOCKET_NUMBER DOT_NUMBER COMMON_STAT CONTRACT_STAT BROKER_STAT COMMON_APP_PEND CONTRACT_APP_PEND BROKER_APP_PEND
    COMMON_REV_PEND CONTRACT_REV_PEND BROKER_REV_PEND PROPERTY_CHK PASSENGER_CHK HHG_CHK DBA_NAME LEGAL_NAME
    BUS_STREET_PO BUS_CITY BUS_STATE_CODE BUS_CTRY_CODE BUS_ZIP_CODE BUS_TELNO`),
  legacy_authhist: columns(`
    DOCKET_NUMBER DOT_NUMBER SUB_NUMBER OP_AUTH_TYPE ORIGINAL_ACTION_DESC ORIG_SERVED_DATE DISP_ACTION_DESC
    DISP_DECIDED_DATE DISP_SERVED_DATE`),
  legacy_revocation: columns(
    "DOCKET_NUMBER DOT_NUMBER TYPE_LICENSE ORDER1_SERVE_DATE ORDER2_TYPE_DESC order2_effective_Date",
  ),
  legacy_insur: columns(`
    prefix_docket_number ins_type_code ins_class_code max_cov_amount underl_lim_amount policy_no effective_date
    ins_form_code name_company`),
  legacy_actpendinsur: columns(`
    DOCKET_NUMBER DOT_NUMBER ins_form_code ins_type_desc name_company policy_no trans_date underl_lim_amount
    max_cov_amount effective_date cancl_effective_date`),
  legacy_inshist: columns(`
    docket_number dot_number ins_form_code cancl_method_gen ins_cancl_form ins_type_ind ins_type_desc policy_no
    min_cov_amount ins_class_code effective_date underl_lim_amount max_cov_amount cancl_effective_date cancl_method
    inser_branch name_company`),
  oos_order: columns("DOT_NUMBER LEGAL_NAME DBA_NAME OOS_DATE OOS_REASON STATUS RESCIND_DATE"),
  motus_boc3: columns("DOCKET_NUMBER USDOT_NUMBER CO_NAME STREET_PO CITY STATE_CODE ZIP_CODE CTRY_CODE"),
  legacy_boc3: columns(`
    DOCKET_NUMBER DOT_NUMBER CO_NAME ATTN_TO_OR_TITLE STREET_PO CITY STATE_CODE CTRY_CODE ZIP_CODE`),
};

function columns(text: string): string[] {
  return text.trim().split(/\s+/);
}

const PLAIN_ROWS: Record<Dataset, (usdot: number) => Record<string, string>> = {
  census: (usdot) => ({
    ADD_DATE: "20200101",
    MCS150_DATE: "20260930 1015",
    STATUS_CODE: "A",
    DOT_NUMBER: String(usdot),
    CARRIER_OPERATION: "A",
    PHONE: phone(usdot),
    POWER_UNITS: "3",
    TOTAL_DRIVERS: "4",
    LEGAL_NAME: `CARRIER ${usdot} LLC`,
    PHY_STREET: "1 MAIN ST",
    PHY_CITY: "AUSTIN",
    PHY_COUNTRY: "US",
    PHY_STATE: "TX",
    PHY_ZIP: "78701",
    PHY_CNTY: "453",
    CRGO_GENFREIGHT: "X",
    EMAIL_ADDRESS: `carrier${usdot}@example.com`,
    CELL_PHONE: phone(usdot),
  }),
  motus_carrier: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    USDOT_NUMBER: String(usdot),
    OP_AUTH_STATUS: "Active",
    OP_AUTH_TYPE: "Motor Carrier of Property (Except Household Goods)",
    LEGAL_NAME: `CARRIER ${usdot} LLC`,
    MIN_COV_AMOUNT: "750000.000000000000000000",
    BIPD_FILE: "1000000.000000000000000000",
    CARGO_REQ: "N",
    BOND_REQ: "N",
    CARGO_FILE: "Y",
    BOND_FILE: "N",
    BUS_STATE_CODE: "TX",
    BUS_TELNO: phone(usdot),
  }),
  motus_authhist: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    USDOT_NUMBER: String(usdot),
    OP_AUTH_STATUS: "Active",
    REASON: "Granted",
    OP_AUTH_TYPE: "Motor Carrier of Property (Except Household Goods)",
    STATUS_CHANGE_DATE: "20260930",
  }),
  motus_revokesuspend: (usdot) => ({
    DOCKET_NUMBER: `MC-${usdot}`,
    USDOT_NUMBER: String(usdot),
    ORDER1_SERVE_DATE: "20260930",
    OP_AUTH_TYPE: "Motor Carrier of Property (Except Household Goods)",
    ORDER1_TYPE_DESC: "Operating Authority Involuntary Suspension Notice",
    ORDER1_EFFECTIVE_DATE: "20261030",
  }),
  motus_insur: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    USDOT_NUMBER: String(usdot),
    INS_FORM_CODE: "BMC-91X",
    INS_TYPE_CODE: "1",
    INS_CLASS_CODE: "P",
    MAX_COV_AMOUNT: "750000.00",
    UNDERL_LIM_AMOUNT: "0.00",
    POLICY_NO: `AB ${usdot}-1`,
    EFFECTIVE_DATE: "20260901",
    INSURANCE_COMPANY_NAME: "Example Insurer",
    TRANS_DATE: "20260930",
  }),
  motus_inshist: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    USDOT_NUMBER: String(usdot),
    INS_FORM_CODE: "BMC-91X",
    INS_TYPE_CODE: "1",
    FILING_STATUS_REASON: "CANCEL",
    POLICY_NO: `AB ${usdot}-0`,
    INS_CLASS_CODE: "P",
    EFFECTIVE_DATE: "20250901",
    MAX_COV_AMOUNT: "750000.00",
    CANCL_EFFECTIVE_DATE: "20261020",
    INSURANCE_COMPANY_NAME: "Example Insurer",
  }),
  legacy_carrier: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    DOT_NUMBER: String(usdot).padStart(8, "0"),
    COMMON_STAT: "A",
    CONTRACT_STAT: "N",
    BROKER_STAT: "N",
    PROPERTY_CHK: "Y",
    LEGAL_NAME: `CARRIER ${usdot} LLC`,
    BUS_STATE_CODE: "TX",
  }),
  legacy_authhist: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    DOT_NUMBER: String(usdot).padStart(8, "0"),
    OP_AUTH_TYPE: "COMMON",
    ORIGINAL_ACTION_DESC: "GRANTED",
    ORIG_SERVED_DATE: "07/18/1986",
  }),
  legacy_revocation: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    DOT_NUMBER: String(usdot).padStart(8, "0"),
    TYPE_LICENSE: "COMMON",
    ORDER1_SERVE_DATE: "06/26/2024",
    ORDER2_TYPE_DESC: "INVOLUNTARY REVOCATION",
    order2_effective_Date: "07/26/2024",
  }),
  legacy_insur: (usdot) => ({
    prefix_docket_number: `MC${usdot}`,
    ins_type_code: "1",
    ins_class_code: "P",
    max_cov_amount: "01000",
    underl_lim_amount: "00000",
    policy_no: `AB ${usdot}`,
    effective_date: "01/01/2025",
    ins_form_code: "91X",
    name_company: "EXAMPLE INSURER",
  }),
  legacy_actpendinsur: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    DOT_NUMBER: String(usdot).padStart(8, "0"),
    ins_form_code: "91X",
    ins_type_desc: "BIPD/Primary",
    name_company: "EXAMPLE INSURER",
    policy_no: `AB ${usdot}`,
    trans_date: "01/05/2025",
    underl_lim_amount: "0",
    max_cov_amount: "1000",
    effective_date: "01/01/2025",
  }),
  legacy_inshist: (usdot) => ({
    docket_number: `MC${usdot}`,
    dot_number: String(usdot).padStart(8, "0"),
    ins_form_code: "34",
    cancl_method_gen: "Replaced",
    ins_type_ind: "*",
    ins_type_desc: "CARGO",
    policy_no: `C ${usdot}`,
    effective_date: "01/01/2018",
    cancl_effective_date: "01/01/2023",
    cancl_method: "TERM/REPL",
    name_company: "EXAMPLE INSURER",
  }),
  oos_order: (usdot) => ({
    DOT_NUMBER: String(usdot),
    LEGAL_NAME: `CARRIER ${usdot} LLC`,
    OOS_DATE: "2026-09-26",
    OOS_REASON: "New Entrant Revoked - Refusal of Audit/No Contact",
    STATUS: "ACTIVE",
  }),
  motus_boc3: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    USDOT_NUMBER: String(usdot),
    CO_NAME: "ALL STATES PROCESS AGENTS, INC.",
    STREET_PO: "1 AGENT ST",
    CITY: "TULSA",
    STATE_CODE: "OK",
    ZIP_CODE: "74101",
    CTRY_CODE: "US",
  }),
  legacy_boc3: (usdot) => ({
    DOCKET_NUMBER: `MC${usdot}`,
    DOT_NUMBER: String(usdot).padStart(8, "0"),
    CO_NAME: "ALL STATES PROCESS AGENTS, INC.",
    STATE_CODE: "OK",
  }),
};

const phone = (usdot: number): string => `512555${String(usdot % 10_000).padStart(4, "0")}`;

/**
 * One dataset's CSV: for each item a plain row, whose USDOT number is the item's number (from 1), with these fields.
 */
export const datasetCsv = (dataset: Dataset, items: readonly Record<string, string>[]): string =>
  csv(
    HEADERS[dataset],
    items.map((fields, index) => ({ ...PLAIN_ROWS[dataset](index + 1), ...fields })),
  );

/** Every dataset with `rows` plain rows each. */
export const wholeFolder = (rows: number): Record<`${Dataset}.csv`, string> =>
  Object.fromEntries(
    DATASETS.map((dataset) => [
      `${dataset}.csv`,
      datasetCsv(
        dataset,
        Array.from({ length: rows }, () => ({})),
      ),
    ]),
  ) as Record<`${Dataset}.csv`, string>;
