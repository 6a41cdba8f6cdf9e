import type { Column } from "./catalogue.ts";

// A cell without anything that RFC 4180 or a spreadsheet gives a meaning to; column names and licence references are.
const PLAIN_CELL = /^[A-Za-z0-9_-]+$/;

/** The header line of an export: the feed's columns, last `licence_ref`. */
export const csvHeader = (columns: readonly Column[]): string =>
  `${[...columns.map((column) => column.name), "licence_ref"].join(",")}\r\n`;

/** What ends each row of an export: the licence reference as the last cell. */
export function csvRowEnd(licenceRef: string): Buffer {
  if (!PLAIN_CELL.test(licenceRef) || licenceRef.startsWith("-")) {
    throw new Error(`Not a licence reference: ${JSON.stringify(licenceRef)}`);
  }
  return Buffer.from(`,${licenceRef}\r\n`);
}

/** The rows made of a piece of a version's file. */
export interface CsvRows {
  bytes: Buffer;
  rows: number;
}

/**
 * Turns pieces of a version's file (one row's cells per line, ended by LF) into finished rows of the listed positions
 * (ascending, from 1; null: all). A line that goes on in the next piece waits for it.
 */
export class CsvRowWriter {
  readonly #rowEnd: Buffer;
  readonly #positions: Int32Array | null;
  /** Of the lines seen so far. */
  #lines = 0;
  /** How many of `positions` are written. */
  #written = 0;
  #unfinished: Buffer = Buffer.alloc(0);

  constructor(rowEnd: Buffer, positions: Int32Array | null) {
    this.#rowEnd = rowEnd;
    this.#positions = positions;
  }

  /** Whether every listed row is written, so that the rest of the file need not be read. */
  get isDone(): boolean {
    return this.#positions !== null && this.#written === this.#positions.length;
  }

  /** The finished rows that a piece completes. Copies: the piece may be used anew. */
  write(piece: Buffer): CsvRows {
    const input = this.#unfinished.length === 0 ? piece : Buffer.concat([this.#unfinished, piece]);
    const bounds: number[] = [];
    let start = 0;
    let sizeBytes = 0;
    for (let end = input.indexOf(LF, start); end >= 0; end = input.indexOf(LF, start)) {
      if (this.#isWanted(++this.#lines)) {
        bounds.push(start, end);
        sizeBytes += end - start + this.#rowEnd.length;
      }
      start = end + 1;
    }
    this.#unfinished = Buffer.from(input.subarray(start));
    return { bytes: this.#render(input, bounds, sizeBytes), rows: bounds.length / 2 };
  }

  #isWanted(line: number): boolean {
    if (this.#positions === null) return true;
    if (this.#positions[this.#written] !== line) return false;
    this.#written += 1;
    return true;
  }

  #render(input: Buffer, bounds: readonly number[], sizeBytes: number): Buffer {
    const bytes = Buffer.allocUnsafe(sizeBytes);
    let at = 0;
    for (let place = 0; place < bounds.length; place += 2) {
      at += input.copy(bytes, at, bounds[place], bounds[place + 1]);
      at += this.#rowEnd.copy(bytes, at);
    }
    return bytes;
  }
}

const LF = 0x0a;
