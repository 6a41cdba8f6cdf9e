import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { Refusal } from "../checks/refusal.ts";
import { OpenQuoteError, type RecordScanner } from "./record-scanner.ts";

/** Maximum length of a record: a quote that is never closed would make the rest of the file one record. */
const LONGEST_RECORD_BYTES = 1024 * 1024;

/** Passes blocks of UTF-8 to a CSV scanner and yields after each. Refusal for a quote that is never closed. */
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
    // Errors after the first records are found when the whole file is read.
    if (!(error instanceof CsvError)) throw error;
  }
  if (records.length > 0) return records;
  // A file that is cut off in its first record is still recognised by its beginning.
  return [(text.split("\n", 1)[0] ?? "").split(",").map((field) => field.replaceAll('"', ""))];
}
