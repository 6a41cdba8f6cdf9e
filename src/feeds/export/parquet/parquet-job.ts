import type { ParquetColumn } from "./parquet-form.ts";

/** What a worker needs to write a Parquet file. */
export interface ParquetJob {
  /** A version's records, one JSON object per line. */
  source: string;
  /** The lines (from 1, ascending) of the rows; null: all. */
  lines: Int32Array | null;
  rows: number;
  columns: readonly ParquetColumn[];
  /** Key-value pairs of the file's footer. */
  facts: Readonly<Record<string, string>>;
  target: string;
}
