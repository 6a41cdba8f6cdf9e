import type { Dataset } from "../../registry/datasets.ts";
import type { DatasetReader } from "../rows/row-reader.ts";

/** A registry file that is imported: how it is told from others and how its rows are read. */
export interface Layout {
  dataset: Dataset;
  title: string;
  /** The columns the import uses, as in the header of the portal's CSV; a file that lacks one is refused. */
  columns: readonly string[];
  /** Other names for some of them, as in the portal's JSON. */
  aliases?: Readonly<Record<string, string>>;
  /** All columns of the file, where others are nearly like it; a text file without header has them in this order. */
  header?: readonly string[];
  /** The portal's ids of the whole file, CSV and text. */
  socrataIds: readonly string[];
  /** The portal's id of the daily difference that can be imported. */
  differenceId?: string;
  reader: DatasetReader;
}

/** A column's name as the layouts write it: in capitals, everything between letters and digits one underscore. */
export const columnName = (header: string): string =>
  header
    .trim()
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_");

/** The names in a text, separated by blanks. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
