import { read, readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";

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
/** So many reads at most go to the other threads at once. */
const FEW_RUNS = 8;
/** How long reads may hold this thread: a thousand from memory, few from a disk. */
const MOST_HELD_MS = 5;
/** A sum of lengths is kept for so many lines: 4 bytes a line for its length, and next to nothing for its place. */
const BLOCK_LINES = 64;

/** Reads lines of an open file whose lengths are known. */
export class RowReader {
  readonly #file: FileHandle;
  readonly #lengths: Uint32Array;
  /** Where each block of lines begins in the file. */
  readonly #blocks: Float64Array;
  readonly #reads = new Set<Promise<Buffer>>();
  #isClosed = false;

  constructor(file: FileHandle, lengths: Uint32Array) {
    this.#file = file;
    this.#lengths = lengths;
    this.#blocks = new Float64Array(Math.ceil((lengths.length + 1) / BLOCK_LINES));
    let offset = 0;
    for (let line = 0; line <= lengths.length; line++) {
      if (line % BLOCK_LINES === 0) this.#blocks[line / BLOCK_LINES] = offset;
      offset += (lengths[line] ?? 0) + 1;
    }
  }

  /** The lines at these positions, each ended by LF, with room around them. Each byte of the room must be written. */
  async read(positions: Positions, room: Room): Promise<Buffer> {
    if (this.#isClosed) throw new Error("The file is closed.");
    const reading = this.#read(positions, room);
    this.#reads.add(reading);
    return reading.finally(() => this.#reads.delete(reading));
  }

  async #read(positions: Positions, { before, after }: Room): Promise<Buffer> {
    const runs =
      positions instanceof Int32Array ? this.#runsOf(positions, before) : [this.#runOf(positions, before)];
    const last = runs.at(-1);
    const lines = Buffer.allocUnsafeSlow((last ? last.target + last.bytes : before) + after);
    const late = runs.length > FEW_RUNS ? this.#readFromMemory(runs, lines) : runs;
    await Promise.all(late.map((run) => this.#readRun(run, lines)));
    return lines;
  }

  /**
   * Reads runs on this thread: where the system has their bytes in memory, a read takes a third of one by Node's other
   * threads. Returns those that there was no time for, because they must come from the disk.
   */
  #readFromMemory(runs: readonly Run[], lines: Buffer): readonly Run[] {
    const began = performance.now();
    for (const [index, run] of runs.entries()) {
      const bytes = this.#bufferOf(run, lines);
      for (let at = run.start; at < run.end; ) {
        const count = readSync(this.#file.fd, bytes, at - run.start, run.end - at, at);
        if (count === 0) throw endsAt(at);
        at += count;
      }
      gather(run, bytes, lines);
      if (performance.now() - began > MOST_HELD_MS) return runs.slice(index + 1);
    }
    return [];
  }

  /** Waits for the reads that are under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#reads);
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

  async #readRun(run: Run, lines: Buffer): Promise<void> {
    const bytes = this.#bufferOf(run, lines);
    await this.#fill(bytes, run);
    gather(run, bytes, lines);
  }

  /** Where the bytes of a run are read to: their place in the answer, unless others are between its lines. */
  #bufferOf({ start, end, bytes, target }: Run, lines: Buffer): Buffer {
    return bytes === end - start
      ? lines.subarray(target, target + bytes)
      : Buffer.allocUnsafeSlow(end - start);
  }

  // Node's own promises of reads take two to three times as long, which counts where an answer has a thousand of them.
  #fill(buffer: Buffer, { start, end }: Run): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const readFrom = (position: number): void => {
      const rest = end - position;
      read(this.#file.fd, buffer, position - start, rest, position, (error, bytes) => {
        if (error) reject(error);
        else if (bytes === 0) reject(endsAt(position));
        else if (bytes < rest) readFrom(position + bytes);
        else resolve();
      });
    };
    readFrom(start);
    return promise;
  }
}

const endsAt = (position: number): Error => new Error(`The file ends at byte ${position}.`);

/** Copies the lines of a run to their place in the answer, unless they were read to it. */
function gather({ start, end, bounds, bytes, target }: Run, from: Buffer, lines: Buffer): void {
  if (bytes === end - start) return;
  let at = target;
  for (let index = 0; index < bounds.length; index += 2) {
    at += from.copy(lines, at, (bounds[index] as number) - start, (bounds[index + 1] as number) - start);
  }
}
