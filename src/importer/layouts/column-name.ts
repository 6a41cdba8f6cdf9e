/** A column's name as the layouts write it: capitals, everything between letters and digits one underscore. */
export const columnName = (header: string): string =>
  header
    .trim()
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_");
