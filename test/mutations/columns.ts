// Mutations of columns: swapped, renamed, missing, new, in another order, or empty.
import { type Mutation, onColumn, onTable, positionOf } from "./mutation.ts";
import { FILE_TITLES, REGISTRY_FILES, type RegistryFile, type Table } from "./registry-file.ts";

const SWAPS: [RegistryFile, one: string, other: string][] = [
  ["carrier", "MIN_COV_AMOUNT", "BIPD_FILE"],
  ["carrier", "CARGO_REQ", "CARGO_FILE"],
  ["carrier", "BOND_REQ", "BOND_FILE"],
  ["carrier", "CARGO_REQ", "BOND_REQ"],
  ["carrier", "CARGO_FILE", "BOND_FILE"],
  ["carrier", "LEGAL_NAME", "DBA_NAME"],
  ["carrier", "DOCKET_NUMBER", "USDOT_NUMBER"],
  ["carrier", "OP_AUTH_TYPE", "OP_AUTH_STATUS"],
  ["authHist", "OP_AUTH_STATUS", "REASON"],
  ["revokeSuspend", "ORDER1_SERVE_DATE", "ORDER1_EFFECTIVE_DATE"],
  ["insur", "EFFECTIVE_DATE", "TRANS_DATE"],
  ["insur", "INS_TYPE_CODE", "INS_CLASS_CODE"],
  ["insHist", "EFFECTIVE_DATE", "CANCL_EFFECTIVE_DATE"],
  ["insHist", "INS_TYPE_CODE", "INS_CLASS_CODE"],
  ["census", "PHONE", "CELL_PHONE"],
  ["census", "LEGAL_NAME", "DBA_NAME"],
  ["census", "POWER_UNITS", "TOTAL_DRIVERS"],
  ["census", "POWER_UNITS", "TOTAL_CDL"],
  ["census", "MCS150_DATE", "ADD_DATE"],
  ["census", "PHY_STATE", "PHY_COUNTRY"],
  ["census", "PHY_STATE", "CARRIER_MAILING_STATE"],
  ["boc3", "CO_NAME", "CITY"],
  ["boc3", "DOCKET_NUMBER", "USDOT_NUMBER"],
  ["oosOrder", "OOS_DATE", "RESCIND_DATE"],
  ["oosOrder", "OOS_REASON", "STATUS"],
  ["legacyCarrier", "COMMON_STAT", "CONTRACT_STAT"],
  ["legacyCarrier", "COMMON_STAT", "BROKER_STAT"],
  ["legacyAuthHist", "ORIG_SERVED_DATE", "DISP_SERVED_DATE"],
];

/** Swaps the names of two columns, or the values in a file without header. */
function swapped(table: Table, one: string, other: string): Table {
  const [from, to] = [positionOf(table, one), positionOf(table, other)];
  const swap = (row: string[]) => row.with(from, row[to] ?? "").with(to, row[from] ?? "");
  return table.isHeaded
    ? { ...table, columns: swap(table.columns) }
    : { ...table, rows: table.rows.map(swap) };
}

/** Every column that feeds or events need. */
const REQUIRED_COLUMNS: Partial<Record<RegistryFile, string>> = {
  census:
    "DOT_NUMBER STATUS_CODE LEGAL_NAME PHY_STATE PHY_COUNTRY PHONE EMAIL_ADDRESS POWER_UNITS MCS150_DATE ADD_DATE",
  carrier: `DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS LEGAL_NAME MIN_COV_AMOUNT BIPD_FILE BOND_REQ BOND_FILE
    CARGO_REQ CARGO_FILE`,
  authHist: "DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE OP_AUTH_STATUS REASON STATUS_CHANGE_DATE",
  revokeSuspend:
    "DOCKET_NUMBER USDOT_NUMBER OP_AUTH_TYPE ORDER1_SERVE_DATE ORDER1_TYPE_DESC ORDER1_EFFECTIVE_DATE",
  insur: "DOCKET_NUMBER INS_TYPE_CODE INS_CLASS_CODE POLICY_NO EFFECTIVE_DATE TRANS_DATE",
  insHist:
    "DOCKET_NUMBER FILING_STATUS_REASON INS_TYPE_CODE INS_CLASS_CODE POLICY_NO EFFECTIVE_DATE CANCL_EFFECTIVE_DATE",
  boc3: "DOCKET_NUMBER USDOT_NUMBER CO_NAME",
  oosOrder: "DOT_NUMBER OOS_DATE RESCIND_DATE",
  legacyCarrier: "DOCKET_NUMBER DOT_NUMBER COMMON_STAT BROKER_STAT",
  legacyAuthHist: "DOCKET_NUMBER ORIGINAL_ACTION_DESC ORIG_SERVED_DATE",
};
const deciding = Object.entries(REQUIRED_COLUMNS).flatMap(([file, names]) =>
  names.split(/\s+/).map((column) => ({ file: file as RegistryFile, column })),
);

// Columns that show whether another policy replaced a cancelled one.
const isProof = (file: RegistryFile, column: string): boolean =>
  file === "insur" || (file === "carrier" && column.endsWith("_FILE"));

const renamed = (table: Table, from: string, to: string): Table => ({
  ...table,
  columns: table.columns.with(positionOf(table, from), to),
});

const without = (table: Table, name: string): Table => {
  const at = positionOf(table, name);
  return {
    ...table,
    columns: table.columns.toSpliced(at, 1),
    rows: table.rows.map((row) => row.toSpliced(at, 1)),
  };
};

const HEADED = (Object.keys(REGISTRY_FILES) as RegistryFile[]).filter((file) => file !== "legacyCarrier");

export const COLUMNS: readonly Mutation[] = [
  ...SWAPS.map(([file, one, other]) => ({
    name: `${FILE_TITLES[file]} with ${one} and ${other} swapped`,
    files: [file],
    change: onTable((table) => swapped(table, one, other)),
  })),
  ...deciding
    .filter(({ file }) => file !== "legacyCarrier")
    .flatMap(({ file, column }) => [
      {
        name: `${FILE_TITLES[file]} with ${column} named NEW_${column}`,
        files: [file],
        column,
        change: onTable((table) => renamed(table, column, `NEW_${column}`)),
      },
      {
        name: `${FILE_TITLES[file]} without ${column}`,
        files: [file],
        column,
        change: onTable((table) => without(table, column)),
      },
    ]),
  ...deciding.flatMap(({ file, column }) =>
    [1, 2, 20].map((nth) => ({
      name: `${FILE_TITLES[file]} ${column} blank in ${nth === 1 ? "every row" : `one row in ${nth}`}`,
      files: [file],
      column,
      removesReplacement: isProof(file, column),
      change: onColumn(column, (value, _row, index) => (index % nth === 0 ? "" : value)),
    })),
  ),
  ...HEADED.flatMap((file) => [
    {
      name: `${FILE_TITLES[file]} with a new column in front`,
      files: [file],
      isHarmless: true,
      change: onTable((table) => ({
        ...table,
        columns: ["BATCH_ID", ...table.columns],
        rows: table.rows.map((row, index) => [String(index), ...row]),
      })),
    },
    {
      name: `${FILE_TITLES[file]} with its columns in another order`,
      files: [file],
      isHarmless: true,
      change: onTable((table) => ({
        ...table,
        columns: table.columns.toReversed(),
        rows: table.rows.map((row) => row.toReversed()),
      })),
    },
  ]),
];
