import type { VisibleRows } from "../records/visible-rows.ts";

// A cell without anything that RFC 4180 or a spreadsheet gives a meaning to; column names and licence references are.
const PLAIN_CELL = /^[A-Za-z0-9_-]+$/;

/** The header line of an export: the version's columns, last `licence_ref`. */
export const csvHeader = (columns: readonly string[]): string =>
  `${[...columns, "licence_ref"].join(",")}\r\n`;

/** What ends each row of an export: an empty cell for each column that the rows lack, then the licence reference. */
export function csvRowEnd(licenceRef: string, missingColumns = 0): Buffer {
  if (!PLAIN_CELL.test(licenceRef) || licenceRef.startsWith("-")) {
    throw new Error(`Not a licence reference: ${JSON.stringify(licenceRef)}`);
  }
  return Buffer.from(`${",".repeat(missingColumns)},${licenceRef}\r\n`);
}

/** The rows made from a chunk of a version's file. */
export interface CsvRows {
  bytes: Buffer;
  rows: number;
}

const LF = 0x0a;
/** Large enough that what each piece costs besides its bytes, a read and a write, is little of the whole. */
const PIECE_BYTES = 256 * 1024;
/** What memory for finished rows is rounded up to: pieces differ a little, and one is to fit where another was. */
const ROOM_STEP_BYTES = 16 * 1024;

/**
 * Turns a version's file (one row's cells per line, ended by LF), read in chunks, into finished rows of the visible
 * positions. A line that a chunk cuts waits for the next chunk. All chunks are read into one buffer. Finished rows
 * overwrite earlier ones once `reuse` was called. A new buffer for each chunk would be garbage several times the size of
 * the export, and collecting it took a quarter of the time.
 */
export class CsvRowWriter {
  readonly #rowEnd: Buffer;
  readonly #visible: Pick<VisibleRows, "listed" | "removed">;
  readonly #input = Buffer.allocUnsafeSlow(PIECE_BYTES);
  /** Bytes of an incomplete line carried over from the previous chunk. */
  #begunBytes = 0;
  #linesSeen = 0;
  #listedSeen = 0;
  #removedSeen = 0;
  #visibleSeen = 0;
  #leftOut: Int32Array = new Int32Array(0);
  #leftOutSeen = 0;
  /** The buffer that holds the latest finished rows. */
  #lent: Buffer | null = null;
  #spare: Buffer | null = null;

  constructor(rowEnd: Buffer, visible: Pick<VisibleRows, "listed" | "removed">) {
    this.#rowEnd = rowEnd;
    this.#visible = visible;
  }

  /** Whether every listed row was seen, so that the rest of the file need not be read. */
  get isDone(): boolean {
    const { listed } = this.#visible;
    return listed !== null && this.#listedSeen === listed.length;
  }

  /** How many of the visible rows were read so far, including those removed during the export. */
  get visibleSeen(): number {
    return this.#visibleSeen;
  }

  /** Replaces the positions (ascending) whose rows are skipped from now on. */
  leaveOut(positions: Int32Array): void {
    this.#leftOut = positions;
    this.#leftOutSeen = 0;
  }

  /** The buffer into which the next chunk is read; the chunk may fill it. */
  get room(): Buffer {
    if (this.#begunBytes === PIECE_BYTES) throw new Error(`A row has more than ${PIECE_BYTES} bytes.`);
    return this.#input.subarray(this.#begunBytes);
  }

  /** Call when all finished rows given so far are sent: their memory is used again. */
  reuse(): void {
    this.#spare = this.#lent;
  }

  /** The rows that are complete with the first `pieceBytes` bytes of `room`. */
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
    if (!this.#isKept(line)) return false;
    this.#visibleSeen += 1;
    return !this.#isLeftOut(line);
  }

  #isKept(line: number): boolean {
    const { listed, removed } = this.#visible;
    if (listed !== null) {
      if (listed[this.#listedSeen] !== line) return false;
      this.#listedSeen += 1;
    }
    const place = listed === null ? line : this.#listedSeen;
    if (removed[this.#removedSeen] !== place) return true;
    this.#removedSeen += 1;
    return false;
  }

  #isLeftOut(line: number): boolean {
    while ((this.#leftOut[this.#leftOutSeen] ?? line) < line) this.#leftOutSeen += 1;
    return this.#leftOut[this.#leftOutSeen] === line;
  }

  #render(bounds: readonly number[], sizeBytes: number): Buffer {
    const bytes = this.#roomFor(sizeBytes);
    let at = 0;
    for (let place = 0; place < bounds.length; place += 2) {
      at += this.#input.copy(bytes, at, bounds[place], bounds[place + 1]);
      at += this.#rowEnd.copy(bytes, at);
    }
    return bytes.subarray(0, at);
  }

  #roomFor(sizeBytes: number): Buffer {
    const fits = this.#spare !== null && this.#spare.length >= sizeBytes;
    const roomBytes = ROOM_STEP_BYTES * Math.ceil(sizeBytes / ROOM_STEP_BYTES);
    const room = fits ? (this.#spare as Buffer) : Buffer.allocUnsafeSlow(roomBytes);
    this.#spare = null;
    this.#lent = room;
    return room;
  }
}
