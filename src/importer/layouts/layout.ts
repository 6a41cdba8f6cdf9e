import type { Dataset } from "../../registry/datasets.ts";
import type { DatasetReader } from "../rows/row-reader.ts";

/** A registry file that is imported: how to recognise it and how to read its rows. */
export interface Layout {
  dataset: Dataset;
  title: string;
  /** The columns that the import uses, as in the header of the portal's CSV. A file that lacks one is refused. */
  columns: readonly string[];
  /** Columns that the import uses where the file has them. */
  optionalColumns?: readonly string[];
  /** Other names of some columns, as in the portal's JSON. */
  aliases?: Readonly<Record<string, string>>;
  /** All columns, for a file that resembles others. A text file without header has them in this order. */
  header?: readonly string[];
  /** The portal's ids of the whole file, CSV and text. */
  socrataIds: readonly string[];
  /** The portal's id of the daily difference that can be imported. */
  differenceId?: string;
  reader: DatasetReader;
}

/** Every column that the import uses. */
export const readColumns = ({ columns, optionalColumns = [] }: Layout): readonly string[] => [
  ...columns,
  ...optionalColumns,
];

/** A column's name as in the layouts: in capitals, with one underscore for everything between letters and digits. */
export const columnName = (header: string): string =>
  header
    .trim()
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_");

/** The blank-separated names in a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
