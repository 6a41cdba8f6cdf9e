import { Readable } from "node:stream";

/** The next bytes of an export, and how many of its rows they complete or begin. */
export interface ExportChunk {
  bytes: Buffer;
  rows: number;
}

/** Where the bytes of an export come from. */
export interface ExportSource {
  /** The next chunk; null after the last. Fails when the export can't have the bytes that were promised. */
  next(): Promise<ExportChunk | null>;
  /** All chunks returned so far are sent: their buffers may be reused. */
  reuse(): void;
  close(): Promise<void>;
}

/** The sizes of the chunks that a reader took. A chunk may have bytes without completing or beginning a row. */
interface Taken {
  rows: number;
  bytes: number;
}

interface ExportStreamOptions {
  /** Called once, with what the reader took. Awaited before the stream ends. */
  onOver(taken: Taken): Promise<void>;
}

/**
 * The export as a stream of buffers. It makes each chunk on request. Destroying it at any moment closes the source and
 * reports exactly what was taken. It waits for its reader without a limit: the
 * code that sends it over a socket must disconnect a reader that takes nothing.
 */
export class ExportStream extends Readable {
  readonly #source: ExportSource;
  readonly #options: ExportStreamOptions;
  #pushed: Taken = { rows: 0, bytes: 0 };
  /** What was pushed before the last chunk, the only one that can still be in the stream's buffer. */
  #pushedBefore: Taken = this.#pushed;
  /** The chunk that `begin` made; undefined once it was read. */
  #first: ExportChunk | null | undefined;
  #reading: Promise<void> | null = null;
  #isOver = false;

  constructor(source: ExportSource, options: ExportStreamOptions) {
    // In object mode each chunk counts as one, so the rows that the reader took are known exactly. No chunk is made ahead:
    // its rows could be removed while it waits in the buffer for a slow reader.
    super({ objectMode: true, highWaterMark: 0 });
    this.#source = source;
    this.#options = options;
  }

  /** Makes the first chunk. Call it just before the answer, which can still say why there is none. */
  async begin(): Promise<this> {
    this.#first = await this.#source.next();
    return this;
  }

  /** Call once all chunks read so far are flushed; their buffers are reused. */
  reuse(): void {
    // A chunk that is still in the stream's buffer is not sent.
    if (this.readableLength === 0) this.#source.reuse();
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
    this.#end(this.readableLength > 0 ? this.#pushedBefore : this.#pushed).then(
      () => done(error),
      (failure: Error) => done(error ?? failure),
    );
  }

  async #end(taken: Taken): Promise<void> {
    // Closing a file during a read makes the read fail.
    await this.#reading;
    try {
      await this.#source.close();
    } finally {
      await this.#reportOver(taken);
    }
  }

  async #reportOver(taken: Taken): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#options.onOver(taken);
  }

  async #pushNext(): Promise<void> {
    if (this.destroyed) return;
    const chunk = this.#first === undefined ? await this.#source.next() : this.#first;
    this.#first = undefined;
    if (this.destroyed) return;
    if (chunk !== null) {
      const { rows, bytes } = this.#pushed;
      this.#pushedBefore = this.#pushed;
      this.#pushed = { rows: rows + chunk.rows, bytes: bytes + chunk.bytes.length };
      this.push(chunk.bytes);
      return;
    }
    // Before the end of the stream, so that the slot is free when the client asks for its next export.
    await this.#reportOver(this.#pushed);
    this.push(null);
  }
}
