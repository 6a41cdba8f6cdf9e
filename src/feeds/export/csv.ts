// A cell without characters that mean something to RFC 4180 or a spreadsheet. Column names and licence references match.
const PLAIN_CELL = /^[A-Za-z0-9_-]+$/;

/** The header line of an export: the version's columns, then `licence_ref`. */
export const csvHeader = (columns: readonly string[]): string =>
  `${[...columns, "licence_ref"].join(",")}\r\n`;

/** The end of each row of an export: an empty cell for each column that the rows lack, then the licence reference. */
export function csvRowEnd(licenceRef: string, missingColumns = 0): Buffer {
  if (!PLAIN_CELL.test(licenceRef) || licenceRef.startsWith("-")) {
    throw new Error(`Not a licence reference: ${JSON.stringify(licenceRef)}`);
  }
  return Buffer.from(`${",".repeat(missingColumns)},${licenceRef}\r\n`);
}
