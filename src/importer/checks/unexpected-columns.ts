import type { DatasetInput } from "../dataset-inputs.ts";

/** How a file's header differs from the documented one, although it has every column that the import needs. */
export interface UnexpectedColumns {
  /** Undocumented columns. */
  added: string[];
  /** Missing documented columns that the import does not need. */
  absent: string[];
  /** Whether the documented columns are in another order. */
  areReordered: boolean;
}

/** The differences of a file's header; all empty for a file without a header. */
export function unexpectedColumns(input: DatasetInput): UnexpectedColumns {
  if (input.kind === "json" || !input.hasHeader) return { added: [], absent: [], areReordered: false };
  const { columns, layout } = input;
  const documented = layout.header ?? layout.columns;
  const known = columns.filter((column) => documented.includes(column));
  const expected = documented.filter((column) => columns.includes(column));
  return {
    added: columns.filter((column) => !documented.includes(column)),
    absent: documented.filter((column) => !columns.includes(column)),
    areReordered: known.join() !== expected.join(),
  };
}
