import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import type { AskedNumbers } from "../../../../registry/carrier-numbers.ts";
import { readDocket, readUsdot } from "../../../../registry/docket.ts";

/** Numbers that a person typed or sent as a file, and the column of the file that they were read from. */
export interface TypedNumbers {
  /** Each once. */
  numbers: Required<AskedNumbers>;
  /** How many there were, repeated ones too. */
  given: number;
  column: string | null;
}

const PREFIXED = /\b(MC|FF|MX|US\s?DOT|DOT)(?:\s*(?:no|number|#))?[\s.:#-]*(?=\d)/gi;

/** The USDOT and docket numbers of a text, whatever stands between them. Words that are none are kept, to be shown as such. */
export function numbersInText(text: string): TypedNumbers {
  const words = text
    .replace(PREFIXED, (_all, prefix: string) => ` ${prefix}`)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return sorted(words, null);
}

/** USDOT numbers and docket numbers apart. */
function sorted(words: readonly string[], column: string | null): TypedNumbers {
  const isDocket = (word: string) => /^(MC|FF|MX)/i.test(word);
  const numbers = {
    usdots: [...new Set(words.filter((word) => !isDocket(word)).map(withoutPrefix))],
    dockets: [...new Set(words.filter(isDocket).map((word) => word.toUpperCase()))],
  };
  return { numbers, given: words.length, column };
}

/** The cells of a column of dockets: digits alone are an MC number below a head "MC", and no number below another. */
function docketsOf(cells: readonly string[], head: string, column: string): TypedNumbers {
  const prefix = head.startsWith("mc") ? "MC" : "";
  const dockets = cells.map((cell) => (/^\d+$/.test(cell) ? prefix + cell : cell.toUpperCase()));
  return { numbers: { usdots: [], dockets: [...new Set(dockets)] }, given: cells.length, column };
}

const withoutPrefix = (word: string): string => word.replace(/^(US)?DOT(?=\d)/i, "");

/** Heads of columns with USDOT numbers, and with docket numbers, in letters and digits alone. */
const USDOT_HEADS = ["usdot", "usdotnumber", "usdotno", "dot", "dotnumber", "dotno"];
const DOCKET_HEADS = [
  "docket",
  "docketnumber",
  "docketno",
  "mc",
  "mcnumber",
  "mcno",
  "mcmxff",
  "mcmxffnumber",
];

/**
 * The numbers of a CSV file: of the column whose head says so, else of the first column that reads as numbers. Null when no
 * column does.
 */
export function numbersInFile(text: string): TypedNumbers | null {
  const records = recordsOf(text);
  const heads = (records[0] ?? []).map((head) => head.toLowerCase().replace(/[^a-z0-9]/g, ""));
  const named = [...USDOT_HEADS, ...DOCKET_HEADS].find((head) => heads.includes(head));
  if (named !== undefined) {
    const index = heads.indexOf(named);
    const cells = cellsOf(records.slice(1), index);
    const column = `“${records[0]?.[index]?.trim()}”`;
    return DOCKET_HEADS.includes(named) ? docketsOf(cells, named, column) : sorted(cells, column);
  }
  const first = heads.findIndex((_head, index) => readsAsNumbers(records, index));
  return first === -1 ? null : sorted(cellsOf(withoutHead(records, first), first), `${first + 1}`);
}

const isNumber = (cell: string | undefined): boolean => readUsdot(cell) !== null || readDocket(cell) !== null;

/** Whether nearly every row has a number there; the first one may be a head. */
function readsAsNumbers(records: readonly string[][], index: number): boolean {
  const rows = withoutHead(records, index).filter((record) => record[index]?.trim());
  return rows.length > 0 && rows.filter((record) => isNumber(record[index])).length >= rows.length * 0.9;
}

const withoutHead = (records: readonly string[][], index: number): readonly string[][] =>
  isNumber(records[0]?.[index]) ? records : records.slice(1);

const cellsOf = (records: readonly string[][], index: number): string[] =>
  records.map((record) => record[index]?.trim() ?? "").filter((cell) => cell !== "");

function recordsOf(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as string[][];
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

/** What separates the cells, by the first line. In the lines below it a company's name may have the other signs. */
function delimiterOf(text: string): string {
  const [line = ""] = /[^\r\n\uFEFF]+/.exec(text) ?? [];
  const unquoted = line.replace(/"[^"]*"/g, "");
  if (unquoted.includes("\t")) return "\t";
  return unquoted.split(";").length > unquoted.split(",").length ? ";" : ",";
}
