import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { OpenQuoteError, type RecordScanner } from "./record-scanner.ts";
import { Refusal } from "./refusal.ts";

/** A longer record means that a quote is never closed. */
const LONGEST_RECORD_BYTES = 1024 * 1024;

/** Feeds blocks of UTF-8 to a CSV scanner and yields after each. Refusal for a quote that is never closed. */
export async function* scanBlocks(
  blocks: AsyncIterable<Buffer> | Iterable<Buffer>,
  file: string,
  scanner: RecordScanner,
): AsyncGenerator<void> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const block of blocks) {
      const whole = rest.length === 0 ? block : Buffer.concat([rest, block]);
      rest = whole.subarray(scanner.scan(whole, false));
      if (rest.length > LONGEST_RECORD_BYTES) throw new OpenQuoteError();
      yield;
    }
    scanner.scan(rest, true);
    yield;
  } catch (error) {
    if (!(error instanceof OpenQuoteError)) throw error;
    throw new Refusal(
      `${file} is cut off or damaged: a quote is opened and never closed; download it again.`,
    );
  }
}

/** A column's name as in the tables of official files: in capitals, with one underscore for all between letters and digits. */
export const columnName = (header: string): string =>
  header
    .trim()
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_");

const OPTIONS = {
  record_delimiter: ["\r\n", "\n"],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
};

/** The first records of a text that may be cut off anywhere. */
export function firstRecords(text: string, most: number): string[][] {
  const records: string[][] = [];
  const keep = (record: string[]) => {
    records.push(record);
    return null;
  };
  try {
    parse(text.slice(0, text.lastIndexOf("\n") + 1) || text, { ...OPTIONS, to: most, on_record: keep });
  } catch (error) {
    // Later mistakes are found when the whole file is read.
    if (!(error instanceof CsvError)) throw error;
  }
  if (records.length > 0) return records;
  // A file that is cut off within its first record still shows its first columns.
  return [(text.split("\n", 1)[0] ?? "").split(",").map((field) => field.replaceAll('"', ""))];
}
