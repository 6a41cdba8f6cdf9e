/** How the columns of one file differ from the documented ones, to simulate a change by the registry. */
export interface Layout {
  /** A file that has one more column, in its middle. */
  addedColumn?: string | undefined;
  /** A file whose columns are in the opposite order. */
  reordered?: string | undefined;
}

const ADDED_COLUMN = "RECORD_SOURCE";

/** Applies the layout to the header and the rows of the file `name`. */
export function layoutOf(name: string, { addedColumn, reordered }: Layout) {
  const arrange = (fields: readonly string[], added: string): readonly string[] => {
    const middle = Math.floor(fields.length / 2);
    const all = name === addedColumn ? [...fields.slice(0, middle), added, ...fields.slice(middle)] : fields;
    return name === reordered ? all.toReversed() : all;
  };
  return {
    header: (columns: readonly string[]) => arrange(columns, ADDED_COLUMN),
    fields: (row: readonly string[]) => arrange(row, "MOTUS"),
  };
}
