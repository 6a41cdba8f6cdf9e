/** How the columns of one file differ from today's, as the registry may change them one day. */
export interface Layout {
  /** A file that has one column more, in its midst. */
  addedColumn?: string | undefined;
  /** A file whose columns come in the opposite order. */
  reordered?: string | undefined;
}

const ADDED_COLUMN = "RECORD_SOURCE";

/** Puts the header and the fields of each row of the file called `name` in the order of the layout. */
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
