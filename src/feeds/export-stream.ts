import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
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
  /** A reader that takes nothing for so long is cut. */
  stallMs: number;
  /** For so long what is removed is not looked up again; then it is, before the next piece. */
  removalsGoodForMs: number;
  /** Called once when the stream is over, with how many rows the reader took. Awaited before the stream closes. */
  onOver(rowsTaken: number): Promise<void>;
}

/**
 * The export as a stream of buffers. It reads a piece when it is asked for one, without the rows that are removed by
 * then; destroying it at any moment, or a reader that stalls, closes the file and reports exactly the rows that were
 * handed over.
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
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(source: ExportSource, options: ExportStreamOptions) {
    // A piece counts as one object: what the reader has taken can then be told exactly. None is read ahead, so that no
    // row lies here while it is removed and the reader is slow.
    super({ objectMode: true, highWaterMark: 0 });
    this.#source = source;
    this.#options = options;
    this.#watchForStall();
  }

  /** Whoever sends the pieces on may say by this that all it took so far are sent: their memory is then used again. */
  reuse(): void {
    // A piece that still lies here is not sent.
    if (this.readableLength === 0) this.#source.writer.reuse();
  }

  override _read(): void {
    clearTimeout(this.#stallTimer);
    // Not at once: while one piece is being asked for, pushing it would make the stream ask for the next.
    this.#reading = Promise.resolve()
      .then(() => this.#pushNext())
      .then(
        () => this.#watchForStall(),
        (error: Error) => {
          this.destroy(error);
        },
      );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#stallTimer);
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
      await this.#options.onOver(rowsTaken);
    }
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
      throw new Error(`An export of ${rows} rows found ${writer.keptSeen} in its file.`);
    }
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

  #watchForStall(): void {
    if (this.destroyed) return;
    clearTimeout(this.#stallTimer);
    const { stallMs } = this.#options;
    this.#stallTimer = setTimeout(() => {
      this.destroy(new Error(`The reader of an export took nothing for ${stallMs / 1000} s.`));
    }, stallMs);
  }
}
