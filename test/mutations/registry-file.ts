// A registry file as rows that a mutation can change. It is read and written as Latin-1, one character per byte, so that
// unchanged text keeps its bytes in any encoding.
import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";

export const REGISTRY_FILES = {
  census: "census.csv",
  carrier: "motus_carrier.csv",
  authHist: "motus_authhist.csv",
  revokeSuspend: "motus_revokesuspend.csv",
  insur: "motus_insur.csv",
  insHist: "motus_inshist.csv",
  boc3: "motus_boc3.csv",
  oosOrder: "oos_order.csv",
  legacyCarrier: "legacy_carrier.txt",
  legacyAuthHist: "legacy_authhist.csv",
} as const;

export type RegistryFile = keyof typeof REGISTRY_FILES;

/** The name of each file in messages. */
export const FILE_TITLES: Readonly<Record<RegistryFile, string>> = {
  census: "Company Census File",
  carrier: "Motus Carrier",
  authHist: "Motus AuthHist",
  revokeSuspend: "Motus RevokeSuspend",
  insur: "Motus Insur",
  insHist: "Motus InsHist",
  boc3: "Motus BOC3",
  oosOrder: "Out-of-service orders",
  legacyCarrier: "legacy Carrier",
  legacyAuthHist: "legacy AuthHist",
};

/** Rows, with column names in capitals; `isHeaded`: the file has a header line. */
export interface Table {
  columns: string[];
  rows: string[][];
  isHeaded: boolean;
}

// The columns of the text file without header that mutations name.
const LEGACY_CARRIER_COLUMNS =
  "DOCKET_NUMBER DOT_NUMBER MX_TYPE RFC_NUMBER COMMON_STAT CONTRACT_STAT BROKER_STAT COMMON_APP_PEND".split(
    " ",
  );

const BYTE_ORDER_MARK = Buffer.from("\uFEFF").toString("latin1");

export const readText = (path: string): Promise<string> => readFile(path, "latin1");

export function tableOf(file: RegistryFile, text: string): Table {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  const rows = parse(body, { relax_column_count: true, relax_quotes: true }) as string[][];
  if (file === "legacyCarrier") {
    const names = (rows[0] ?? []).map((_, index) => LEGACY_CARRIER_COLUMNS[index] ?? `COLUMN_${index}`);
    return { columns: names, rows, isHeaded: false };
  }
  const [header = [], ...rest] = rows;
  return { columns: header.map((name) => name.toUpperCase()), rows: rest, isHeaded: true };
}

export function textOf({ columns, rows, isHeaded }: Table): string {
  const lines = isHeaded
    ? [columns.join(","), ...rows.map((row) => row.map(cellOf).join(","))]
    : rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(","));
  return `${lines.join("\n")}\n`;
}

const cellOf = (value: string): string =>
  /[",\r\n]/.test(value) || value !== value.trim() ? `"${value.replaceAll('"', '""')}"` : value;
