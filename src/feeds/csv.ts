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

const LF = 0x0a;
const PIECE_BYTES = 64 * 1024;

/**
 * Turns a version's file (one row's cells per line, ended by LF), read piece by piece, into finished rows of the listed
 * positions (ascending, from 1; null: all). A line that a piece cuts waits for the next one. All pieces are read into
 * one buffer: a new one for each would be garbage several times the size of the export.
 */
export class CsvRowWriter {
  readonly #rowEnd: Buffer;
  readonly #positions: Int32Array | null;
  readonly #input = Buffer.allocUnsafeSlow(PIECE_BYTES);
  /** How much of the input is the begin of a line that goes on in the next piece. */
  #begunBytes = 0;
  #linesSeen = 0;
  /** How many of `positions` are written. */
  #written = 0;

  constructor(rowEnd: Buffer, positions: Int32Array | null) {
    this.#rowEnd = rowEnd;
    this.#positions = positions;
  }

  /** Whether every listed row is written, so that the rest of the file need not be read. */
  get isDone(): boolean {
    return this.#positions !== null && this.#written === this.#positions.length;
  }

  /** Where the next piece is to be read to, up to its whole length. */
  get room(): Buffer {
    if (this.#begunBytes === PIECE_BYTES) throw new Error(`A row has more than ${PIECE_BYTES} bytes.`);
    return this.#input.subarray(this.#begunBytes);
  }

  /** The finished rows that the first `pieceBytes` of `room` complete. */
  write(pieceBytes: number): CsvRows {
    const input = this.#input.subarray(0, this.#begunBytes + pieceBytes);
    const bounds: number[] = [];
    let start = 0;
    let sizeBytes = 0;
    for (let end = input.indexOf(LF, start); end >= 0; end = input.indexOf(LF, start)) {
      if (this.#isWanted(++this.#linesSeen)) {
        bounds.push(start, end);
        sizeBytes += end - start + this.#rowEnd.length;
      }
      start = end + 1;
    }
    const finished = { bytes: this.#render(bounds, sizeBytes), rows: bounds.length / 2 };
    this.#begunBytes = input.copy(this.#input, 0, start);
    return finished;
  }

  #isWanted(line: number): boolean {
    if (this.#positions === null) return true;
    if (this.#positions[this.#written] !== line) return false;
    this.#written += 1;
    return true;
  }

  #render(bounds: readonly number[], sizeBytes: number): Buffer {
    const bytes = Buffer.allocUnsafe(sizeBytes);
    let at = 0;
    for (let place = 0; place < bounds.length; place += 2) {
      at += this.#input.copy(bytes, at, bounds[place], bounds[place + 1]);
      at += this.#rowEnd.copy(bytes, at);
    }
    return bytes;
  }
}
