import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { countOf } from "../../platform/plural.ts";
import type { CsvRowWriter } from "./csv.ts";

export interface ExportSource {
  /** A version's rows; closed by the stream. */
  file: FileHandle;
  writer: CsvRowWriter;
  header: Buffer;
  /** How many rows the export must have. With fewer or more it ends with an error. */
  rows: number;
  /** Positions of the rows that are removed now. */
  latestRemovals(): Promise<Int32Array>;
}

export interface ExportStreamOptions {
  /** Maximum age of the removal list (ms): an older one is read again before the next chunk. */
  removalsGoodForMs: number;
  /** Called once, with the number of rows that the reader took. Awaited before the stream ends. */
  onOver(rowsTaken: number): Promise<void>;
}

/**
 * The export as a stream of buffers. It makes each chunk on request, without the rows removed by then. Destroying it at
 * any moment closes the file and reports exactly the rows that were taken. It waits for its reader without a limit: the
 * code that sends it over a socket must disconnect a reader that takes nothing.
 */
export class ExportStream extends Readable {
  readonly #source: ExportSource;
  readonly #options: ExportStreamOptions;
  #hasBegun = false;
  #rowsPushed = 0;
  /** Rows of the last chunk pushed: the only chunk that can still be in the stream's buffer. */
  #rowsOfLastChunk = 0;
  #removalsReadAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  /** The read of the next chunk of the file. */
  #ahead: Promise<{ bytesRead: number }> | null = null;
  #isOver = false;

  constructor(source: ExportSource, options: ExportStreamOptions) {
    // In object mode each chunk counts as one, so the rows that the reader took are known exactly. No chunk is made ahead:
    // its rows could be removed while it waits in the buffer for a slow reader.
    super({ objectMode: true, highWaterMark: 0 });
    this.#source = source;
    this.#options = options;
  }

  /** Call once all chunks read so far are flushed; their buffers are reused. */
  reuse(): void {
    // A chunk that is still in the stream's buffer is not sent.
    if (this.readableLength === 0) this.#source.writer.reuse();
  }

  override _read(): void {
    // In a later microtask, since a push during _read makes the stream ask for the next chunk.
    this.#reading = Promise.resolve()
      .then(() => this.#pushNext())
      .catch((error: Error) => {
        this.destroy(error);
      });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const untaken = this.readableLength > 0 ? this.#rowsOfLastChunk : 0;
    this.#end(this.#rowsPushed - untaken).then(
      () => done(error),
      (failure: Error) => done(error ?? failure),
    );
  }

  async #end(rowsTaken: number): Promise<void> {
    // Closing a file during a read makes the read fail.
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
      this.#ahead ??= file.read(writer.chunkBuffer);
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
    if (writer.visibleSeen !== rows) {
      throw new Error(`An export of ${countOf(rows, "row")} found ${writer.visibleSeen} in its file.`);
    }
    // Before the end of the stream, so that the slot is free when the client asks for its next export.
    await this.#reportOver(this.#rowsPushed);
    this.push(null);
  }

  async #leaveOutRemoved(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#removalsReadAtMs < this.#options.removalsGoodForMs) return;
    this.#removalsReadAtMs = nowMs;
    this.#source.writer.leaveOut(await this.#source.latestRemovals());
  }

  // Reads the file while the reader takes a chunk, so that neither waits for the other. Rows are made later, and removed
  // ones are skipped then.
  #readAhead(): void {
    const { file, writer } = this.#source;
    if (writer.isDone) return;
    this.#ahead = file.read(writer.chunkBuffer);
    // The code that awaits the read gets its failure. A stream that was destroyed does not await it.
    this.#ahead.catch(() => {});
  }

  #pushRows(bytes: Buffer, rows: number): void {
    this.#rowsPushed += rows;
    this.#rowsOfLastChunk = rows;
    this.push(bytes);
  }
}
