import type { Dataset } from "../../registry/datasets.ts";
import type { RemovalKey } from "../../registry/merge/merge.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import type { CodedValues } from "./coded-values.ts";
import type { OddDates } from "./days.ts";
import type { Tally } from "./tally.ts";

/** The settings of reading one file's rows, and where everything is collected that is no cell. */
export interface FileReading {
  dataset: Dataset;
  /** The day of the import, YYYY-MM-DD. */
  today: string;
  isDifference: boolean;
  /** The index of a column in the file's records; -1 for one that the file lacks: all its fields are blank. */
  at(column: string): number;
  /** The key of the current row. */
  row: { docket: string | null; usdot: number | null };
  /** The keys of rows whose cells are in the wrong columns. */
  oddRows: { docket: string | null; usdot: number | null }[];
  tally: Tally;
  coded: CodedValues;
  /** The unusual dates, by official column. */
  dates: Record<string, OddDates>;
  /** The keys whose rows a daily difference removes. */
  removalKeys: RemovalKey[];
}

/** A column of a staging table: the official columns that it comes from, and how its cell is written. */
export interface Field {
  columns: readonly string[];
  /** Files may lack its columns. */
  isOptional?: boolean;
  open(reading: FileReading): (line: CopyLines) => void;
}

/** The field of one official column; `open` gets the column's index in the records. */
export const fieldOf = (
  column: string,
  open: (index: number, reading: FileReading) => (line: CopyLines) => void,
): Field => ({ columns: [column], open: (reading) => open(reading.at(column), reading) });

/** Looks at a row before its cells are written; false leaves it out. `content` are the official columns beside the key. */
export interface RowRule {
  columns: readonly string[];
  open(reading: FileReading, content: readonly string[]): (line: CopyLines) => boolean;
}

/** A registry file that is imported. */
export interface OfficialFile {
  dataset: Dataset;
  title: string;
  /** The portal's ids of the whole file: as CSV, and as text without header. */
  ids: readonly [csv: string, text?: string];
  /** The portal's id of the daily difference. */
  differenceId?: string;
  /** All columns in their order: without a header the rows are read by it. */
  header: readonly string[];
  /** Other names of some columns, as in the portal's JSON. */
  aliases?: Readonly<Record<string, string>>;
  /** Reads the row's key, and leaves out a row without one. */
  key: RowRule;
  /** Further rules that leave rows out, in order. */
  leftOut?: readonly RowRule[];
  /** The official columns of which one is filled in every row that has more than a key; all if left out. */
  content?: readonly string[];
  /** The staging table's columns in the order of a row's cells. */
  fields: Readonly<Record<string, Field>>;
  /** The table's columns whose newest day, up to the day of the import, is the file's. */
  dated?: readonly string[];
  /** Each row has a USDOT number of its own. Rows of other files get the hash of their content as row_id. */
  isKeyed?: boolean;
}

/** The blank-separated names in a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** The official columns without which a file is refused. */
export const requiredColumns = (file: OfficialFile): string[] =>
  usedColumns(file, ({ isOptional }) => !isOptional);

/** The official columns that the import reads. */
export function usedColumns(file: OfficialFile, isUsed: (field: Field) => boolean = () => true): string[] {
  const fields = Object.values(file.fields).filter(isUsed);
  const used = new Set([file.key, ...fields].flatMap(({ columns }) => columns));
  return [...used].filter((column) => file.header.includes(column));
}

/** The staging table's columns in the order of a row's cells. */
export const tableColumns = ({ fields }: OfficialFile): readonly string[] => Object.keys(fields);

/** Writes the cells of one record's row; false when the row is left out. */
export type RowReader = (line: CopyLines) => boolean;

/** Makes the reader of a file's rows: columns are looked up once, not for each row. */
export function openRows(file: OfficialFile, reading: FileReading): RowReader {
  const isOfKey = new Set([...file.key.columns, "OP_AUTH_TYPE"]);
  const content = file.content ?? usedColumns(file).filter((column) => !isOfKey.has(column));
  const rules = [file.key, ...(file.leftOut ?? [])].map((rule) => rule.open(reading, content));
  const cells = Object.values(file.fields).map((field) => field.open(reading));
  return (line) => {
    for (const isKept of rules) if (!isKept(line)) return false;
    for (const write of cells) write(line);
    return true;
  };
}
