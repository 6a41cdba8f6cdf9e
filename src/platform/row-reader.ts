import { read, readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { giveBack, lendBytes } from "./lent-bytes.ts";

/** Rows of a version by position: a range, both ends included, or a list in ascending order. */
export type Positions = { from: number; to: number } | Int32Array;

/** Free bytes before and after lines, for what an answer has around its rows. */
export interface Room {
  before: number;
  after: number;
}

/** Lines that one read of the file gets. */
interface Run {
  /** Where its first line begins in the file, and where its last one ends. */
  start: number;
  end: number;
  /** Begin and end of each line; empty when all lines between are wanted. */
  bounds: number[];
  /** The bytes of its lines, and where they begin in the answer. */
  bytes: number;
  target: number;
}

/** Lines with fewer bytes between them are read together: a read costs as much as so many bytes. */
const GAP_BYTES = 16 * 1024;
const MOST_RUN_BYTES = 1024 * 1024;
/** A sum of lengths is kept for so many lines: 4 bytes a line for its length, and half a byte for its place. */
const BLOCK_LINES = 16;

/** More are read by Node's threads: they take so long that others would notice. A page of 100 records has half as much. */
const MOST_BYTES_HERE = 256 * 1024;
/** A read that took longer waited for the disk, or this process for the processor. One from memory takes a twentieth. */
const SLOW_MS = 0.2;
/** So many reads after one that waited are left to Node's threads, and twice as many after each further one, up to a limit. */
const LEFT_AT_FIRST = 32;
const LEFT_AT_MOST = 4096;

/** Reads lines of an open file whose lengths are known. */
export class RowReader {
  readonly #file: FileHandle;
  readonly #slowMs: number;
  readonly #lengths: Uint32Array;
  /** Where each block of lines begins in the file. */
  readonly #blocks: Float64Array;
  /** Reads that are under way. */
  #reads = 0;
  readonly #idle = Promise.withResolvers<void>();
  /** Reads that are left to Node's threads from now on, and how many will be after the next one that waits. */
  #left = 0;
  #leftNext = LEFT_AT_FIRST;
  #isClosed = false;

  constructor(file: FileHandle, lengths: Uint32Array, slowMs = SLOW_MS) {
    this.#file = file;
    this.#slowMs = slowMs;
    this.#lengths = lengths;
    this.#blocks = new Float64Array(Math.ceil((lengths.length + 1) / BLOCK_LINES));
    let offset = 0;
    for (let line = 0; line <= lengths.length; line++) {
      if (line % BLOCK_LINES === 0) this.#blocks[line / BLOCK_LINES] = offset;
      offset += (lengths[line] ?? 0) + 1;
    }
  }

  /** The lines at these positions, each ended by LF, with room around them. Each byte of the room must be written. They are lent. */
  async read(positions: Positions, room: Room): Promise<Buffer> {
    if (this.#isClosed) throw new Error("The file is closed.");
    this.#reads += 1;
    try {
      return await this.#read(positions, room);
    } finally {
      this.#reads -= 1;
      if (this.#isClosed && this.#reads === 0) this.#idle.resolve();
    }
  }

  async #read(positions: Positions, { before, after }: Room): Promise<Buffer> {
    const runs =
      positions instanceof Int32Array ? this.#runsOf(positions, before) : [this.#runOf(positions, before)];
    const last = runs.at(-1);
    const lines = lendBytes((last ? last.target + last.bytes : before) + after);
    const rest = this.#readFromMemory(runs, lines);
    if (rest.length > 0) await Promise.all(rest.map((run) => this.#readRun(run, lines)));
    return lines;
  }

  /** Waits for the reads that are under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#reads > 0) await this.#idle.promise;
    await this.#file.close();
  }

  /** Where the line at a position begins; one behind the last: the end of the file. */
  #startOf(position: number): number {
    const line = position - 1;
    if (line < 0 || line > this.#lengths.length) throw new Error(`The file has no row ${position}.`);
    const block = Math.floor(line / BLOCK_LINES);
    let offset = this.#blocks[block] as number;
    for (let each = block * BLOCK_LINES; each < line; each++) offset += (this.#lengths[each] as number) + 1;
    return offset;
  }

  #runOf({ from, to }: { from: number; to: number }, target: number): Run {
    const [start, end] = [this.#startOf(from), this.#startOf(to + 1)];
    return { start, end, bounds: [], bytes: end - start, target };
  }

  #runsOf(positions: Int32Array, before: number): Run[] {
    const runs: Run[] = [];
    let target = before;
    for (const position of positions) {
      const start = this.#startOf(position);
      const end = start + (this.#lengths[position - 1] as number) + 1;
      const last = runs.at(-1);
      if (last && start - last.end <= GAP_BYTES && end - last.start <= MOST_RUN_BYTES) {
        last.bounds.push(start, end);
        last.bytes += end - start;
        last.end = end;
      } else runs.push({ start, end, bounds: [start, end], bytes: end - start, target });
      target += end - start;
    }
    return runs;
  }

  /**
   * Reads on this thread as long as reads do not wait for the disk. Gives the runs that are left. From memory, a row takes
   * 1 µs here and 12 by Node's threads, 5 of them on this one; a page of 118 KB takes 6 µs and 14.
   */
  #readFromMemory(runs: readonly Run[], lines: Buffer): Run[] {
    return runs.filter(({ start, end, bytes, target }) => {
      // Lines that others stand between, and what the file lacks, are for the other way to read.
      if (bytes < end - start || bytes > MOST_BYTES_HERE) return true;
      if (this.#left > 0) {
        this.#left -= 1;
        return true;
      }
      const begunMs = performance.now();
      const isRead = readSync(this.#file.fd, lines, target, bytes, start) === bytes;
      const isSlow = performance.now() - begunMs > this.#slowMs;
      this.#left = isSlow ? this.#leftNext : 0;
      this.#leftNext = isSlow ? Math.min(2 * this.#leftNext, LEFT_AT_MOST) : LEFT_AT_FIRST;
      return !isRead;
    });
  }

  async #readRun({ start, end, bounds, bytes, target }: Run, lines: Buffer): Promise<void> {
    if (bytes === end - start) return this.#fill(lines, target, { start, end });
    const gathered = lendBytes(end - start);
    await this.#fill(gathered, 0, { start, end });
    let at = target;
    for (let index = 0; index < bounds.length; index += 2) {
      at += gathered.copy(
        lines,
        at,
        (bounds[index] as number) - start,
        (bounds[index + 1] as number) - start,
      );
    }
    giveBack(gathered);
  }

  // Node's own promises of reads take twice to three times as long, which counts where an answer has a thousand of them.
  #fill(buffer: Buffer, target: number, { start, end }: Pick<Run, "start" | "end">): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const readFrom = (position: number): void => {
      const rest = end - position;
      read(this.#file.fd, buffer, target + position - start, rest, position, (error, bytes) => {
        if (error) reject(error);
        else if (bytes === 0) reject(new Error(`The file ends at byte ${position}.`));
        else if (bytes < rest) readFrom(position + bytes);
        else resolve();
      });
    };
    readFrom(start);
    return promise;
  }
}
