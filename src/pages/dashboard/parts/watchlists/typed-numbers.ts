import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import type { AskedNumbers } from "../../../../registry/carrier-numbers.ts";
import { joinKinds, typedDocket, typedUsdot } from "../../../../registry/docket.ts";

/** Numbers that a person typed or sent as a file, and the columns of the file that they were read from. */
export interface TypedNumbers {
  /** Each once. */
  numbers: Required<AskedNumbers>;
  /** How many there were, repeated ones too. */
  given: number;
  /** The others were read in rows where the first has no number. None for typed numbers. */
  columns: string[];
}

/** The USDOT and docket numbers of a text, whatever stands between them. Words that are none are kept, to be shown as such. */
export function numbersInText(text: string): TypedNumbers {
  const words = joinKinds(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return sorted(words);
}

/** USDOT numbers and docket numbers apart. */
function sorted(words: readonly string[], columns: string[] = []): TypedNumbers {
  const isDocket = (word: string) => /^(MC|FF|MX)/i.test(word);
  const numbers = {
    usdots: [...new Set(words.filter((word) => !isDocket(word)).map(withoutPrefix))],
    dockets: [...new Set(words.filter(isDocket).map((word) => word.toUpperCase()))],
  };
  return { numbers, given: words.length, columns };
}

const withoutPrefix = (word: string): string => word.replace(/^DOT(?=\d)/, "");

/**
 * The numbers of a CSV file: of the columns whose heads say so, else of the first column that reads as numbers. Null when no
 * column does.
 */
export function numbersInFile(text: string): TypedNumbers | null {
  const records = recordsOf(text);
  const columns = numberColumns(records[0] ?? [], records.slice(1));
  if (columns.length > 0) return numbersBelow(columns, records.slice(1));
  const first = (records[0] ?? []).findIndex((_head, index) => readsAsNumbers(records, index));
  return first === -1 ? null : sorted(cellsOf(withoutHead(records, first), first), [`${first + 1}`]);
}

/** In each row the number of the first column that has one, or else the first text, to be shown as none. */
function numbersBelow(columns: readonly NumberColumn[], rows: readonly string[][]): TypedNumbers {
  const numbers = rows.flatMap((row) => {
    const filled = columns.filter(({ index }) => row[index]?.trim());
    const column = filled.find((each) => hasNumber(each, row)) ?? filled[0];
    return column === undefined ? [] : { column, cell: row[column.index]?.trim() ?? "" };
  });
  const [first, others] = [
    numbers.filter(({ column }) => column.digits === "USDOT"),
    numbers.filter(({ column }) => column.digits !== "USDOT"),
  ];
  const { usdots, dockets } = sorted(first.map(({ cell }) => cell)).numbers;
  const more = others.map(({ column, cell }) =>
    /^\d+$/.test(cell) ? column.digits + cell : cell.toUpperCase(),
  );
  return {
    numbers: { usdots, dockets: [...new Set([...dockets, ...more])] },
    given: numbers.length,
    columns: columns.filter((each) => numbers.some(({ column }) => column === each)).map(({ name }) => name),
  };
}

/** Whether the row has a number in that column. Lists write `N/A`, `0` or `-` for none. */
const hasNumber = ({ index, digits }: NumberColumn, row: readonly string[]): boolean =>
  digits === "" ? typedDocket(row[index] ?? "") !== null : isNumber(row[index]);

/** A column of numbers, by its head. */
interface NumberColumn {
  index: number;
  name: string;
  /** What digits alone are in it; in a column of dockets they are MC numbers, or none. */
  digits: "USDOT" | "MC" | "";
}

/** The column of USDOT numbers, and those of dockets for rows where it has none. */
function numberColumns(heads: readonly string[], rows: readonly string[][]): NumberColumn[] {
  const plain = heads.map(plainHead);
  const usdot = USDOT_HEADS.map((head) => plain.indexOf(head)).find((index) => index !== -1);
  // A row with a number is no head, whatever a company in it is called.
  const isHead = !heads.some(isNumber);
  // “MC status” is a head of something else.
  const hasDockets = (index: number) =>
    DOCKET_WORD.test(plain[index] ?? "") || (isHead && rows.some((row) => isNumber(row[index])));
  const columns = heads.flatMap((head, index): NumberColumn[] => {
    const digits = index === usdot ? "USDOT" : digitsBelow(head);
    const isColumn = digits === "USDOT" || (digits !== null && hasDockets(index));
    return isColumn ? [{ index, name: `“${head.trim()}”`, digits }] : [];
  });
  return columns.sort((one, other) => Number(other.index === usdot) - Number(one.index === usdot));
}

/** In letters and digits alone, without a final s. */
const plainHead = (head: string): string =>
  head
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/s$/, "");

/** Plain heads of columns with USDOT numbers. */
const USDOT_HEADS = ["usdot", "usdotnumber", "usdotno", "dot", "dotnumber", "dotno"];
/** A word of a head that says MC, FF, MX or docket. */
const DOCKET_WORD = /^(?:docket|(?:mc|mx|ff)+)(?:number|no)?s?$/;
/** Other heads with such a word: of the form MCS-150, or of USDOT numbers too. */
const OTHER_HEAD = /mcs\W*150|dot/i;

/** What digits alone are below a head of dockets: “MC Number(s)” says it, “Docket” does not. Null below other heads. */
function digitsBelow(head: string): "MC" | "" | null {
  const words = head
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const word = words.find((word) => DOCKET_WORD.test(word));
  if (word === undefined || OTHER_HEAD.test(head)) return null;
  return word.startsWith("mc") ? "MC" : "";
}

const isNumber = (cell = ""): boolean => typedUsdot(cell) !== null || typedDocket(cell) !== null;

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
  const [line = "", separator] = SEPARATOR_LINE.exec(text) ?? [];
  const table = text.slice(line.length);
  try {
    return parse(table, {
      bom: true,
      delimiter: separator ?? delimiterOf(table),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      cast: (cell) => TEXT_FORMULA.exec(cell)?.[1] ?? cell,
    }) as string[][];
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

/** The line before the heads that tells a spreadsheet what separates the cells. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([^\r\n"])"?\r?\n/i;
/** A cell such as `="00123"`: so a spreadsheet keeps the zeros. */
const TEXT_FORMULA = /^="(.*)"$/;

/** What separates the cells, by the first line. In the lines below it a company's name may have the other signs. */
function delimiterOf(text: string): string {
  const [line = ""] = /[^\r\n\uFEFF]+/.exec(text) ?? [];
  const unquoted = line.replace(/"[^"]*"/g, "");
  if (unquoted.includes("\t")) return "\t";
  const cells = (separator: string) => unquoted.split(separator).length;
  return [";", "|"].reduce((most, other) => (cells(other) > cells(most) ? other : most), ",");
}
