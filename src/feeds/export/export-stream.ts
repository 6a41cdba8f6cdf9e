import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { countOf } from "../../platform/plural.ts";
import type { CsvRowWriter } from "./csv.ts";

export interface ExportSource {
  /** A version's rows; closed by the stream. */
  file: FileHandle;
  writer: CsvRowWriter;
  header: Buffer;
  /** How many rows the export is to have: a file that has fewer or more ends it with an error. */
  rows: number;
  /** Positions of the rows that are removed now. */
  latestRemovals(): Promise<Int32Array>;
}

export interface ExportStreamOptions {
  /** For so long what is removed is not looked up again; then it is, before the next piece. */
  removalsGoodForMs: number;
  /** Called once, with how many rows the reader took. Awaited before the reader is told of the end. */
  onOver(rowsTaken: number): Promise<void>;
}

/**
 * The export as a stream of buffers. It reads a piece when it is asked for one, without the rows that are removed by
 * then. Destroying it at any moment closes the file and reports exactly the rows that were handed over. It waits for
 * its reader without end: whoever sends it on over a socket cuts a reader that takes nothing.
 */
export class ExportStream extends Readable {
  readonly #source: ExportSource;
  readonly #options: ExportStreamOptions;
  #hasBegun = false;
  #rowsPushed = 0;
  /** Rows of the piece that was pushed last: the only one that can still lie here untaken. */
  #rowsOfLastPiece = 0;
  #removalsReadAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  /** The next piece of the file. */
  #ahead: Promise<{ bytesRead: number }> | null = null;
  #isOver = false;

  constructor(source: ExportSource, options: ExportStreamOptions) {
    // A piece counts as one object: what the reader has taken can then be told exactly. None is read ahead, so that no
    // row lies here while it is removed and the reader is slow.
    super({ objectMode: true, highWaterMark: 0 });
    this.#source = source;
    this.#options = options;
  }

  /** Whoever sends the pieces on may say by this that all it took so far are sent: their memory is then used again. */
  reuse(): void {
    // A piece that still lies here is not sent.
    if (this.readableLength === 0) this.#source.writer.reuse();
  }

  override _read(): void {
    // Not at once: while one piece is being asked for, pushing it would make the stream ask for the next.
    this.#reading = Promise.resolve()
      .then(() => this.#pushNext())
      .catch((error: Error) => {
        this.destroy(error);
      });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const untaken = this.readableLength > 0 ? this.#rowsOfLastPiece : 0;
    this.#end(this.#rowsPushed - untaken).then(
      () => done(error),
      (failure: Error) => done(error ?? failure),
    );
  }

  async #end(rowsTaken: number): Promise<void> {
    // A file that is closed while a read of it is under way fails that read.
    await this.#reading;
    await this.#ahead?.catch(() => {});
    try {
      await this.#source.file.close();
    } finally {
      await this.#reportOver(rowsTaken);
    }
  }

  async #reportOver(rowsTaken: number): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#options.onOver(rowsTaken);
  }

  async #pushNext(): Promise<void> {
    if (this.destroyed) return;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#pushRows(this.#source.header, 0);
      return;
    }
    const { file, writer, rows } = this.#source;
    while (!writer.isDone) {
      await this.#leaveOutRemoved();
      if (this.destroyed) return;
      this.#ahead ??= file.read(writer.room);
      const { bytesRead } = await this.#ahead;
      this.#ahead = null;
      if (this.destroyed) return;
      if (bytesRead === 0) break;
      const finished = writer.write(bytesRead);
      this.#readAhead();
      if (finished.rows > 0) {
        this.#pushRows(finished.bytes, finished.rows);
        return;
      }
    }
    if (writer.keptSeen !== rows) {
      throw new Error(`An export of ${countOf(rows, "row")} found ${writer.keptSeen} in its file.`);
    }
    // Before the end: who asks for the next export as soon as this one is read finds its slot free.
    await this.#reportOver(this.#rowsPushed);
    this.push(null);
  }

  async #leaveOutRemoved(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#removalsReadAtMs < this.#options.removalsGoodForMs) return;
    this.#removalsReadAtMs = nowMs;
    this.#source.writer.leaveOut(await this.#source.latestRemovals());
  }

  // While the reader takes a piece, so that neither waits for the other. What is read is not rows yet: which of them are
  // removed is asked when they are.
  #readAhead(): void {
    const { file, writer } = this.#source;
    if (writer.isDone) return;
    this.#ahead = file.read(writer.room);
    // Told to whoever waits for it; a stream that ends before has nobody.
    this.#ahead.catch(() => {});
  }

  #pushRows(bytes: Buffer, rows: number): void {
    this.#rowsPushed += rows;
    this.#rowsOfLastPiece = rows;
    this.push(bytes);
  }
}
