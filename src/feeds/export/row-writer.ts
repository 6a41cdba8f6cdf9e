import type { VisibleRows } from "../records/visible-rows.ts";

type Visible = Pick<VisibleRows, "listed" | "removed">;

/** How far the lines of a version's file were judged. */
export interface LinesSeen {
  lines: number;
  /** Of `listed`, of `removed`, and of the lines that are visible. */
  listed: number;
  removed: number;
  visible: number;
}

export const NO_LINES: LinesSeen = { lines: 0, listed: 0, removed: 0, visible: 0 };

/** Tells of each line of a version's file, one after the other, whether its row is visible. */
export class LineFilter {
  readonly #listed: Int32Array | null;
  readonly #removed: Int32Array;
  #linesSeen: number;
  #listedSeen: number;
  #removedSeen: number;
  #visibleSeen: number;

  constructor({ listed, removed }: Visible, seen: LinesSeen = NO_LINES) {
    this.#listed = listed;
    this.#removed = removed;
    this.#linesSeen = seen.lines;
    this.#listedSeen = seen.listed;
    this.#removedSeen = seen.removed;
    this.#visibleSeen = seen.visible;
  }

  /** Whether every listed row was seen, so that no later line is visible. */
  get isDone(): boolean {
    return this.#listed !== null && this.#listedSeen === this.#listed.length;
  }

  get linesSeen(): number {
    return this.#linesSeen;
  }

  get visibleSeen(): number {
    return this.#visibleSeen;
  }

  /** How far the lines were judged before the last one, which was visible. */
  beforeVisible(): LinesSeen {
    return {
      lines: this.#linesSeen - 1,
      listed: this.#listed === null ? 0 : this.#listedSeen - 1,
      removed: this.#removedSeen,
      visible: this.#visibleSeen - 1,
    };
  }

  /** Whether the next line is visible. */
  next(): boolean {
    this.#linesSeen += 1;
    if (this.#listed !== null) {
      if (this.#listed[this.#listedSeen] !== this.#linesSeen) return false;
      this.#listedSeen += 1;
    }
    const index = this.#listed === null ? this.#linesSeen : this.#listedSeen;
    if (this.#removed[this.#removedSeen] === index) {
      this.#removedSeen += 1;
      return false;
    }
    this.#visibleSeen += 1;
    return true;
  }
}

/** How a line becomes a row: without its last bytes, with an end, and perhaps with some columns alone. */
export interface RowShape {
  droppedBytes: number;
  end: Buffer;
  /** Cuts columns out of the rows. */
  cut?(rows: Buffer): Buffer;
}

/** The rows made from a chunk of a version's file. */
export interface FinishedRows {
  bytes: Buffer;
  rows: number;
}

/** The part of the visible rows that a writer makes. */
export interface RowSpan {
  /** The lines before its first row. */
  after: LinesSeen;
  /** How many visible rows there are up to its last one, those before it included. */
  until: number;
}

const LF = 0x0a;
/** Large enough that the fixed cost of a chunk, a read and a write, is small. */
const CHUNK_BYTES = 256 * 1024;
/** Buffers are rounded up to a multiple of this, so that the rows of the next chunk fit into the same buffer. */
const BUFFER_STEP_BYTES = 16 * 1024;

/**
 * Turns a version's file (one row per line, ended by LF), read in chunks, into finished rows of the visible positions. A
 * line that a chunk cuts waits for the next chunk. All chunks are read into one buffer. Finished rows overwrite earlier
 * ones once `reuse` was called. A new buffer for each chunk would be garbage several times the size of the export, and
 * collecting it took a quarter of the time.
 */
export class RowWriter {
  /** Positions of the visible rows that were left out so far. */
  readonly leftOut = new Set<number>();
  readonly #shape: RowShape;
  readonly #filter: LineFilter;
  readonly #until: number;
  readonly #input = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  /** Bytes of an incomplete line carried over from the previous chunk. */
  #carriedBytes = 0;
  #removed: Int32Array = new Int32Array(0);
  #removedSeen = 0;
  /** The buffer that holds the latest finished rows. */
  #lent: Buffer | null = null;
  #spare: Buffer | null = null;

  constructor(
    shape: RowShape,
    visible: Pick<VisibleRows, "listed" | "removed">,
    { after, until }: RowSpan = { after: NO_LINES, until: Number.POSITIVE_INFINITY },
  ) {
    this.#shape = shape;
    this.#filter = new LineFilter(visible, after);
    this.#until = until;
  }

  /** Whether every row was made, so that the rest of the file need not be read. */
  get isDone(): boolean {
    return this.#filter.isDone || this.visibleSeen >= this.#until;
  }

  /** How many of the visible rows were read so far, including those removed during the export. */
  get visibleSeen(): number {
    return this.#filter.visibleSeen;
  }

  /** Replaces the positions (ascending) whose rows are skipped from now on. */
  leaveOut(positions: Int32Array): void {
    this.#removed = positions;
    this.#removedSeen = 0;
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
  write(chunkBytes: number): FinishedRows {
    const input = this.#input.subarray(0, this.#carriedBytes + chunkBytes);
    const bounds: number[] = [];
    let start = 0;
    let sizeBytes = 0;
    const { droppedBytes, end: rowEnd } = this.#shape;
    for (let end = input.indexOf(LF, start); end >= 0; end = input.indexOf(LF, start)) {
      if (this.#isWanted()) {
        bounds.push(start, end - droppedBytes);
        sizeBytes += end - droppedBytes - start + rowEnd.length;
      }
      start = end + 1;
    }
    const whole = this.#render(bounds, sizeBytes);
    const finished = { bytes: this.#shape.cut?.(whole) ?? whole, rows: bounds.length / 2 };
    this.#carriedBytes = input.copy(this.#input, 0, start);
    return finished;
  }

  #isWanted(): boolean {
    if (this.visibleSeen >= this.#until || !this.#filter.next()) return false;
    if (!this.#isRemoved(this.#filter.linesSeen)) return true;
    this.leftOut.add(this.#filter.linesSeen);
    return false;
  }

  #isRemoved(line: number): boolean {
    while ((this.#removed[this.#removedSeen] ?? line) < line) this.#removedSeen += 1;
    return this.#removed[this.#removedSeen] === line;
  }

  #render(bounds: readonly number[], sizeBytes: number): Buffer {
    const bytes = this.#bufferFor(sizeBytes);
    let at = 0;
    for (let index = 0; index < bounds.length; index += 2) {
      at += this.#input.copy(bytes, at, bounds[index], bounds[index + 1]);
      at += this.#shape.end.copy(bytes, at);
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
