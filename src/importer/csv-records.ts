import { type CsvError, parse } from "csv-parse";
import { parse as parseSync } from "csv-parse/sync";
import { Refusal } from "./refusal.ts";

/** A quote that is never closed swallows the rest of a file; this is where it is noticed. */
const LONGEST_RECORD_BYTES = 1024 * 1024;

const OPTIONS = {
  record_delimiter: ["\r\n", "\n"],
  // Records of another length are the caller's to count; old text has quotes inside unquoted fields.
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: LONGEST_RECORD_BYTES,
};

/**
 * Reads CSV from blocks of UTF-8. After each block it yields what `onRecord` made of the block's records, joined, so
 * that memory stays flat however slowly it is taken. Refusal for a quote that is never closed.
 */
export async function* csvRecords(
  blocks: AsyncIterable<Buffer>,
  file: string,
  onRecord: (record: string[]) => string | null,
): AsyncGenerator<string> {
  let made = "";
  const parser = parse({
    ...OPTIONS,
    on_record: (record: string[]) => {
      made += onRecord(record) ?? "";
      return null;
    },
  });
  // Nothing is pushed, but the stream only ends when it is read; errors come by the callbacks below.
  parser.resume();
  parser.on("error", () => {});
  const taken = (give: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => give((error) => (error ? reject(error) : resolve())));
  try {
    for await (const block of blocks) {
      await taken((done) => parser.write(block, done));
      yield made;
      made = "";
    }
    await taken((done) => parser.end(done));
    yield made;
  } catch (error) {
    throw isCsvError(error) ? new Refusal(csvSentence(file, error)) : error;
  } finally {
    parser.destroy();
  }
}

function csvSentence(file: string, { code }: CsvError): string {
  const isQuote = code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE";
  const fault = isQuote
    ? "is cut off or damaged: a quote is opened and never closed"
    : `is damaged (${code})`;
  return `${file} ${fault}; download it again.`;
}

const isCsvError = (error: unknown): error is CsvError =>
  error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");

/** The first records of a text that may stop anywhere. */
export function firstRecords(text: string, most: number): string[][] {
  const records: string[][] = [];
  const keep = (record: string[]) => {
    records.push(record);
    return null;
  };
  try {
    parseSync(text.slice(0, text.lastIndexOf("\n") + 1) || text, { ...OPTIONS, to: most, on_record: keep });
  } catch (error) {
    // What is wrong behind the first records is found when the whole is read.
    if (!isCsvError(error)) throw error;
  }
  if (records.length > 0) return records;
  // A file cut off within its first record still shows what it began as.
  return [(text.split("\n", 1)[0] ?? "").split(",").map((field) => field.replaceAll('"', ""))];
}
