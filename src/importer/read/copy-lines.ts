import { hash } from "node:crypto";
import { CORRUPT_DATE, cleanCapitals, cleanText, dateForm, readDate } from "../../registry/registry-text.ts";
import { compactDay, plainDay, twoDigits, writeDay } from "./plain-day.ts";
import type { RecordScanner } from "./record-scanner.ts";
import { type RepeatedRows, writeHex } from "./repeated-rows.ts";
import type { RowCounts } from "./row-counts.ts";

const [TAB, NEWLINE, BLANK, BACKSLASH, LETTER_N] = [9, 10, 32, 92, 78];
const ROW_ID_BYTES = 33;
/** YYYYMMDD; a time may follow. */
const COMPACT_DAY_BYTES = 8;
const TIME_DIGITS = 4;
/** Taken from its class once: strings are of several kinds inside V8, which looked the method up again for each character. */
const { charCodeAt } = String.prototype;

/** Bytes that need no escape in COPY's text format and no cleaning. A single blank needs none either. */
const IS_CLEAN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > BLANK && byte < 127 && byte !== BACKSLASH ? 1 : 0,
);
const IS_CLEAN_CAPITAL = IS_CLEAN.map((clean, byte) => (byte >= 97 && byte <= 122 ? 0 : clean));

/** Four bytes of a digest, which is a string with one character per byte. */
const wordAt = (digest: string, index: number): number =>
  digest.charCodeAt(index) |
  (digest.charCodeAt(index + 1) << 8) |
  (digest.charCodeAt(index + 2) << 16) |
  (digest.charCodeAt(index + 3) << 24);

/** Worst-case size of the line of a record: each byte escaped or written twice, and the cells that are added. */
const mostLineBytes = (recordBytes: number): number => 6 * recordBytes + 1024;

/**
 * Writes a scanner's records as lines in COPY's text format. Between `begin` and `end` or `drop` each call adds one
 * cell, from a field that it cleans or from a clean value. Most fields are copied as bytes and never become a string.
 */
export class CopyLines {
  /** How many rows `end` left out because they equal an earlier row. */
  repeated = 0;
  readonly #scanner: RecordScanner;
  readonly #rows: RepeatedRows | null;
  readonly #counts: RowCounts;
  #out = Buffer.alloc(0);
  #begin = 0;
  #end = 0;
  #latest = "";
  #latestDay = 0;

  /**
   * `rows` finds repeated rows of a dataset without a key; null for one with a key. The id of a row without a key is
   * the MD5 of its cells. `counts` counts the rows that are kept.
   */
  constructor(scanner: RecordScanner, rows: RepeatedRows | null, counts: RowCounts) {
    this.#scanner = scanner;
    this.#rows = rows;
    this.#counts = counts;
  }

  /** Begins the line of the scanner's record; `recordBytes` is its size. */
  begin(recordBytes: number): void {
    this.#begin = this.#end;
    this.#counts.begin();
    const lineBytes = mostLineBytes(recordBytes);
    if (this.#out.length - this.#end < lineBytes) this.#grow(lineBytes);
    if (this.#rows) this.#end += ROW_ID_BYTES;
  }

  /** Discards the line. */
  drop(): void {
    this.#end = this.#begin;
  }

  /** Ends the line. A repeated row is left out. */
  end(): void {
    if (this.#rows) {
      const cells = this.#out.subarray(this.#begin + ROW_ID_BYTES, this.#end - 1);
      const digest = hash("md5", cells, "binary");
      if (!this.#rows.add(wordAt(digest, 0), wordAt(digest, 4))) {
        this.repeated += 1;
        this.drop();
        return;
      }
      this.#out[writeHex(this.#out, this.#begin, digest)] = TAB;
    }
    this.#out[this.#end - 1] = NEWLINE;
    this.#counts.end();
  }

  /** The lines written since the last call, in memory that has only them and can be handed to another thread. */
  take(): Buffer<ArrayBuffer> {
    const lines = Buffer.from(new Uint8Array(this.#out.subarray(0, this.#end)).buffer);
    this.#begin = 0;
    this.#end = 0;
    return lines;
  }

  /** The raw text of a field. */
  field(index: number): string {
    return this.#scanner.field(index);
  }

  /** Whether the cleaned text of a field can have more characters than that: it has no more than the field has bytes. */
  mayBeLonger(index: number, characters: number): boolean {
    const { starts, ends } = this.#scanner;
    return (ends[index] as number) - (starts[index] as number) > characters || !this.#scanner.isPlain(index);
  }

  /** Adds the cleaned text of a field. */
  text(index: number): void {
    if (!this.#copy(index, IS_CLEAN)) this.cell(cleanText(this.field(index)));
  }

  /** Adds the cleaned text of a field in capitals. */
  capitals(index: number): void {
    if (!this.#copy(index, IS_CLEAN_CAPITAL)) this.cell(cleanCapitals(this.field(index)));
  }

  /** Adds whether a field means yes, according to `meaning`; null if it means `nothing`. */
  flag(index: number, meaning: (raw: string) => string, nothing?: string): void {
    const means = this.isBlank(index) ? "" : meaning(this.field(index));
    const isYes = means === "yes";
    if (means === nothing) this.#writeNull();
    else this.#write(isYes ? "t" : "f");
    this.#counts.add(isYes);
  }

  /** Adds the day in a field, null if it is none. Returns the form it is written in; null for a blank field. */
  date(index: number, latest: string): ReturnType<typeof dateForm> {
    if (this.isBlank(index)) {
      this.cell(null);
      return null;
    }
    if (latest !== this.#latest) {
      this.#latest = latest;
      this.#latestDay = compactDay(latest);
    }
    const from = this.#scanner.starts[index] as number;
    const to = this.#endOfDay(index);
    const isPlain = this.#scanner.isPlain(index);
    const day = isPlain ? plainDay(this.#scanner.block, from, to, this.#latestDay) : 0;
    if (day > 0) {
      writeDay(this.#out, this.#end, day);
      this.#out[this.#end + 10] = TAB;
      this.#end += 11;
      this.#counts.add(true, day);
      return to - from === COMPACT_DAY_BYTES ? "YYYYMMDD" : "MM/DD/YYYY";
    }
    const date = readDate(this.field(index), latest);
    if (date === null || date === CORRUPT_DATE) {
      this.cell(null);
    } else {
      this.#write(date);
      this.#counts.add(true, compactDay(date));
    }
    return dateForm(this.field(index), latest);
  }

  /** The offset where the day in a field ends: a time of four digits may follow, as `20260318 0000`. */
  #endOfDay(index: number): number {
    const { block, starts, ends } = this.#scanner;
    const [from, to] = [starts[index] as number, ends[index] as number];
    const timeAt = from + COMPACT_DAY_BYTES + 1;
    if (to - timeAt !== TIME_DIGITS || block[timeAt - 1] !== BLANK) return to;
    const isTime = twoDigits(block, timeAt) >= 0 && twoDigits(block, timeAt + 2) >= 0;
    return isTime ? timeAt - 1 : to;
  }

  /** Adds a value without control characters. */
  cell(value: string | number | null): void {
    if (value === null) {
      this.#writeNull();
      this.#counts.add(false);
    } else if (typeof value === "number") {
      this.#write(String(value));
      this.#counts.add(true);
    } else {
      this.#write(value);
      this.#counts.addText(value);
    }
  }

  #writeNull(): void {
    const out = this.#out;
    out[this.#end] = BACKSLASH;
    out[this.#end + 1] = LETTER_N;
    out[this.#end + 2] = TAB;
    this.#end += 3;
  }

  #write(text: string): void {
    const out = this.#out;
    let end = this.#end;
    for (let index = 0; index < text.length; index += 1) {
      const code = charCodeAt.call(text, index);
      if (code > 126 || code === BACKSLASH) {
        end = this.#end + out.write(text.replaceAll("\\", "\\\\"), this.#end);
        break;
      }
      out[end] = code;
      end += 1;
    }
    out[end] = TAB;
    this.#end = end + 1;
  }

  /** Whether a field is empty, or absent from the file. */
  isBlank(index: number): boolean {
    const { starts, ends } = this.#scanner;
    return starts[index] === ends[index] && this.#scanner.isPlain(index);
  }

  /** Copies a clean field; false if the field has to be cleaned first. */
  #copy(index: number, isClean: Uint8Array): boolean {
    const { block, starts, ends } = this.#scanner;
    if (!this.#scanner.isPlain(index)) return false;
    const from = starts[index] as number;
    const to = ends[index] as number;
    if (from === to) {
      this.cell(null);
      return true;
    }
    const out = this.#out;
    let end = this.#end;
    let previous = BLANK;
    for (let index = from; index < to; index += 1) {
      const byte = block[index] as number;
      if (isClean[byte] !== 1 && (byte !== BLANK || previous === BLANK)) return false;
      out[end] = byte;
      end += 1;
      previous = byte;
    }
    if (previous === BLANK) return false;
    out[end] = TAB;
    this.#end = end + 1;
    this.#counts.add(true);
    return true;
  }

  #grow(lineBytes: number): void {
    const larger = Buffer.allocUnsafeSlow(2 * this.#out.length + lineBytes);
    this.#out.copy(larger, 0, 0, this.#end);
    this.#out = larger;
  }
}
