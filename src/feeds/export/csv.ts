import type { VisibleRows } from "../records/visible-rows.ts";

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

/** The rows made from a chunk of a version's file. */
export interface CsvRows {
  bytes: Buffer;
  rows: number;
}

const LF = 0x0a;
/** Large enough that the fixed cost of a chunk, a read and a write, is small. */
const CHUNK_BYTES = 256 * 1024;
/** Buffers are rounded up to a multiple of this, so that the rows of the next chunk fit into the same buffer. */
const BUFFER_STEP_BYTES = 16 * 1024;

/**
 * Turns a version's file (one row's cells per line, ended by LF), read in chunks, into finished rows of the visible
 * positions. A line that a chunk cuts waits for the next chunk. All chunks are read into one buffer. Finished rows
 * overwrite earlier ones once `reuse` was called. A new buffer for each chunk would be garbage several times the size of
 * the export, and collecting it took a quarter of the time.
 */
export class CsvRowWriter {
  readonly #rowEnd: Buffer;
  readonly #visible: Pick<VisibleRows, "listed" | "removed">;
  readonly #input = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  /** Bytes of an incomplete line carried over from the previous chunk. */
  #carriedBytes = 0;
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
  get chunkBuffer(): Buffer {
    if (this.#carriedBytes === CHUNK_BYTES) throw new Error(`A row has more than ${CHUNK_BYTES} bytes.`);
    return this.#input.subarray(this.#carriedBytes);
  }

  /** Call when all finished rows returned so far are sent: their buffer is reused. */
  reuse(): void {
    this.#spare = this.#lent;
  }

  /** The rows that the first `chunkBytes` bytes of `chunkBuffer` complete. */
  write(chunkBytes: number): CsvRows {
    const input = this.#input.subarray(0, this.#carriedBytes + chunkBytes);
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
    this.#carriedBytes = input.copy(this.#input, 0, start);
    return finished;
  }

  #isWanted(line: number): boolean {
    if (!this.#isVisible(line)) return false;
    this.#visibleSeen += 1;
    return !this.#isLeftOut(line);
  }

  #isVisible(line: number): boolean {
    const { listed, removed } = this.#visible;
    if (listed !== null) {
      if (listed[this.#listedSeen] !== line) return false;
      this.#listedSeen += 1;
    }
    const index = listed === null ? line : this.#listedSeen;
    if (removed[this.#removedSeen] !== index) return true;
    this.#removedSeen += 1;
    return false;
  }

  #isLeftOut(line: number): boolean {
    while ((this.#leftOut[this.#leftOutSeen] ?? line) < line) this.#leftOutSeen += 1;
    return this.#leftOut[this.#leftOutSeen] === line;
  }

  #render(bounds: readonly number[], sizeBytes: number): Buffer {
    const bytes = this.#bufferFor(sizeBytes);
    let at = 0;
    for (let index = 0; index < bounds.length; index += 2) {
      at += this.#input.copy(bytes, at, bounds[index], bounds[index + 1]);
      at += this.#rowEnd.copy(bytes, at);
    }
    return bytes.subarray(0, at);
  }

  #bufferFor(sizeBytes: number): Buffer {
    const fits = this.#spare !== null && this.#spare.length >= sizeBytes;
    const bufferBytes = BUFFER_STEP_BYTES * Math.ceil(sizeBytes / BUFFER_STEP_BYTES);
    const buffer = fits ? (this.#spare as Buffer) : Buffer.allocUnsafeSlow(bufferBytes);
    this.#spare = null;
    this.#lent = buffer;
    return buffer;
  }
}
