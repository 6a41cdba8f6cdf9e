import type { DatasetInput } from "../dataset-inputs.ts";

/** How a file's header differs from the documented one; columns that the import needs are there all the same. */
export interface UnexpectedColumns {
  /** Columns that are not documented. */
  added: string[];
  /** Documented columns that the import does not need and that are not there. */
  absent: string[];
  /** Whether the documented ones stand in another order. */
  areReordered: boolean;
}

/** What in a file's header was not expected; all of it empty for a file without a header. */
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
