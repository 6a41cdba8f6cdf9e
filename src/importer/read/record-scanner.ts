import { isAscii } from "node:buffer";

const [NUL, NEWLINE, RETURN, QUOTE, COMMA] = [0, 10, 13, 34, 44];

/** A quote that is opened and never closed. */
export class OpenQuoteError extends Error {}

/**
 * Finds the records of CSV in blocks of UTF-8, and the offsets of the `wanted` fields in the block. It makes strings only
 * on request, since few fields need one. Empty lines are skipped. A quote inside an unquoted field is literal. So are all
 * quotes of a field with text after its closing quote.
 */
export class RecordScanner {
  /** The current block. */
  block: Buffer = Buffer.alloc(0);
  /** By field index, the offsets in the block where a field begins and ends. Correct only for `wanted` fields. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly #wanted: readonly number[];
  readonly #onRecord: (width: number, sizeBytes: number) => void;
  /** By field index, the text of fields that the block does not contain literally. */
  readonly #odd: (string | undefined)[];
  #isOdd = false;
  #isAscii = true;
  /** The block's bytes as one string; fields are substrings of it. */
  #text = "";
  #begin = 0;
  #isQuoted = false;
  /** The offset where the current record ends: its line end, or the end of the block. */
  #end = 0;

  /** `wanted`: field indexes. `onRecord` is called for each record, with its number of fields. */
  constructor(wanted: readonly number[], onRecord: (width: number, sizeBytes: number) => void) {
    const most = Math.max(0, ...wanted);
    this.#wanted = wanted;
    this.#onRecord = onRecord;
    this.starts = new Int32Array(most + 2);
    this.ends = new Int32Array(most + 2);
    this.#odd = new Array(most + 1).fill(undefined);
  }

  /**
   * Reads a block; returns how many of its bytes were whole records. The caller puts the rest before the next block.
   * OpenQuoteError when a quote is still open at the end of the last block.
   */
  scan(block: Buffer, isLast: boolean): number {
    this.block = block;
    this.#text = block.toString("latin1");
    this.#isAscii = isAscii(block);
    let nextQuote = -1;
    let begin = 0;
    while (begin < block.length) {
      const emptyLine = lineEndAt(block, begin);
      if (emptyLine > 0) {
        begin += emptyLine;
        continue;
      }
      if (nextQuote < begin) nextQuote = offsetOfQuote(block, begin);
      const width = this.#scanRecord(begin, nextQuote);
      // A record that ends with the block may go on in the next one.
      if (this.#end === block.length && !isLast) return begin;
      if (width === 0) throw new OpenQuoteError();
      this.#begin = begin;
      this.#onRecord(width, this.#end - begin);
      begin = this.#end + lineEndAt(block, this.#end);
    }
    return block.length;
  }

  /** The text of a field. */
  field(index: number): string {
    const odd = this.#odd[index];
    if (odd !== undefined) return odd;
    const from = this.starts[index] as number;
    const to = this.ends[index] as number;
    if (from === to) return "";
    if (this.#isAscii || isAsciiBetween(this.block, from, to)) return this.#text.substring(from, to);
    return this.block.toString("utf8", from, to);
  }

  /** The further lines of the current record: a quoted field may have line ends in it. */
  furtherLines(): string[] {
    if (!this.#isQuoted) return [];
    const lineEnd = this.block.indexOf(NEWLINE, this.#begin);
    if (lineEnd === -1 || lineEnd >= this.#end) return [];
    return this.#text.substring(lineEnd + 1, this.#end).split("\n");
  }

  /** Whether the block contains the field literally. */
  isPlain(index: number): boolean {
    return !this.#isOdd || this.#odd[index] === undefined;
  }

  /** Whether a wanted field of the current record has more bytes than this. */
  hasFieldAbove(bytes: number): boolean {
    const sizeOf = (index: number) => (this.ends[index] as number) - (this.starts[index] as number);
    return this.#wanted.some((index) => (this.#odd[index]?.length ?? sizeOf(index)) > bytes);
  }

  /** Splits a record; returns its number of fields, 0 when a quote is not closed in this block. */
  #scanRecord(begin: number, nextQuote: number): number {
    if (this.#isOdd) this.#odd.fill(undefined);
    this.#isOdd = false;
    let width = 0;
    // When the first field is quoted, the others usually are too.
    if (nextQuote > begin) width = this.#scanPlain(begin);
    this.#isQuoted = nextQuote < this.#end || nextQuote === begin;
    return this.#isQuoted ? this.#scanQuoted(begin) : width;
  }

  /** Splits a line without quotes; returns its number of fields. */
  #scanPlain(begin: number): number {
    const block = this.block;
    const starts = this.starts;
    const size = block.length;
    let width = 1;
    let offset = begin;
    starts[0] = begin;
    while (offset < size) {
      const byte = block[offset] as number;
      if (byte === NEWLINE) break;
      offset += 1;
      starts[width] = offset;
      // Adds 1 for a comma without a branch, which would be mispredicted at every field. `| 0` keeps a machine integer.
      width = (width + (((byte ^ COMMA) - 1) >>> 31)) | 0;
    }
    if (block[offset] === NEWLINE && block[offset - 1] === RETURN) offset -= 1;
    this.#end = offset;
    starts[width] = offset + 1;
    for (const index of this.#wanted) this.ends[index] = (starts[index + 1] as number) - 1;
    return width;
  }

  /** Splits a record field by field; returns their number, 0 when a quote is not closed in this block. */
  #scanQuoted(begin: number): number {
    const block = this.block;
    const starts = this.starts;
    const ends = this.ends;
    const size = block.length;
    let width = 0;
    let offset = begin;
    for (;;) {
      if (block[offset] === QUOTE) {
        const from = offset + 1;
        let to = from;
        while (to < size && block[to] !== QUOTE) to += 1;
        starts[width] = from;
        ends[width] = to;
        offset = endsField(block, to + 1) ? to + 1 : this.#oddField(width, from);
      } else {
        starts[width] = offset;
        offset = endOfField(block, offset);
        ends[width] = offset;
      }
      if (offset < 0) break;
      width += 1;
      if (block[offset] !== COMMA) break;
      offset += 1;
    }
    this.#end = offset < 0 ? size : offset;
    return offset < 0 ? 0 : width;
  }

  /** Reads a quoted field that the block does not contain literally; returns the offset behind it, -1 if it is not closed. */
  #oddField(index: number, from: number): number {
    const odd = readOddField(this.block, from);
    if (odd === null) return -1;
    if (index < this.#odd.length) this.#odd[index] = odd.text;
    this.#isOdd = true;
    return odd.end;
  }
}

/** The offset behind a field that begins without a quote. */
function endOfField(block: Buffer, from: number): number {
  const size = block.length;
  let to = from;
  while (to < size && block[to] !== COMMA && block[to] !== NEWLINE) to += 1;
  return to > from && block[to] === NEWLINE && block[to - 1] === RETURN ? to - 1 : to;
}

/** The length in bytes of the line end at an offset; 0 when there is none. */
function lineEndAt(block: Buffer, offset: number): number {
  if (block[offset] === NEWLINE) return 1;
  return block[offset] === RETURN && block[offset + 1] === NEWLINE ? 2 : 0;
}

/** The offset of the next quote; the block's length when there is none. */
function offsetOfQuote(block: Buffer, from: number): number {
  const offset = block.indexOf(QUOTE, from);
  return offset === -1 ? block.length : offset;
}

const endsField = (block: Buffer, offset: number): boolean =>
  offset === block.length || block[offset] === COMMA || lineEndAt(block, offset) > 0;

function isAsciiBetween(block: Buffer, from: number, to: number): boolean {
  for (let offset = from; offset < to; offset += 1) if ((block[offset] as number) > 127) return false;
  return true;
}

/** A quoted field with quotes in it, or with text after its closing quote; null when it is not closed. */
function readOddField(block: Buffer, begin: number): { text: string; end: number } | null {
  let text = "";
  let from = begin;
  for (;;) {
    const quote = block.indexOf(QUOTE, from);
    if (quote === -1) return null;
    if (block[quote + 1] !== QUOTE) {
      text += block.toString("latin1", from, quote);
      const behind = quote + 1;
      let end = behind;
      while (!endsField(block, end)) end += 1;
      if (end > behind && block[behind] !== NUL) text = `"${text}"`;
      text += block.toString("latin1", behind, end);
      return { text: Buffer.from(text, "latin1").toString(), end };
    }
    text += block.toString("latin1", from, quote + 1);
    from = quote + 2;
  }
}
