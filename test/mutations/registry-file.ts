// A registry file as rows that a mutation can change. Bytes are read as Latin-1, a character each, and written the
// same way: what a mutation does not touch keeps its bytes, whatever they stand for.
import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";

export const REGISTRY_FILES = {
  census: "census.csv",
  carrier: "motus_carrier.csv",
  authHist: "motus_authhist.csv",
  revokeSuspend: "motus_revokesuspend.csv",
  insur: "motus_insur.csv",
  insHist: "motus_inshist.csv",
  legacyCarrier: "legacy_carrier.txt",
  legacyAuthHist: "legacy_authhist.csv",
} as const;

export type RegistryFile = keyof typeof REGISTRY_FILES;

/** What messages call each file. */
export const FILE_TITLES: Readonly<Record<RegistryFile, string>> = {
  census: "Company Census File",
  carrier: "Motus Carrier",
  authHist: "Motus AuthHist",
  revokeSuspend: "Motus RevokeSuspend",
  insur: "Motus Insur",
  insHist: "Motus InsHist",
  legacyCarrier: "legacy Carrier",
  legacyAuthHist: "legacy AuthHist",
};

/** Rows with their columns' names in capitals; `isHeaded` tells whether the file has a line of names. */
export interface Table {
  columns: string[];
  rows: string[][];
  isHeaded: boolean;
}

// The columns of the text file that has no header, as far as mutations name them.
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
