import type { FileHandle } from "node:fs/promises";
import { ProblemError } from "../../platform/http/problem.ts";
import { countOf } from "../../platform/plural.ts";
import type { ByteRange } from "./byte-range.ts";
import type { ExportChunk, ExportSource } from "./export-stream.ts";
import type { RowWriter } from "./row-writer.ts";

/** The rows of an export, or of a part of it. */
export interface Rows {
  /** A version's rows; closed by the source. */
  file: FileHandle;
  /** Where the first row begins in the file. */
  fileOffset: number;
  writer: RowWriter;
  header: Buffer;
  /** How many visible rows the writer must have seen at the end. */
  rows: number;
  /** The part of these bytes that is wanted; null: all, and rows removed meanwhile are left out. */
  part: { skippedBytes: number; bytes: number } | null;
  /** Positions of the rows that are removed now. */
  latestRemovals(): Promise<Int32Array>;
  /** Maximum age of the removal list (ms): an older one is read again before the next chunk. */
  removalsGoodForMs: number;
}

/** Makes the rows of an export from a version's file, without the rows removed by then. */
export class RowSource implements ExportSource {
  readonly #rows: Rows;
  #hasBegun = false;
  #fileOffset: number;
  readonly #leaveOutRemoved: () => Promise<void>;
  /** The read of the next chunk of the file. */
  #ahead: Promise<{ bytesRead: number }> | null = null;
  #skippedBytes: number;
  #missingBytes: number;

  constructor(rows: Rows) {
    this.#rows = rows;
    this.#fileOffset = rows.fileOffset;
    this.#skippedBytes = rows.part?.skippedBytes ?? 0;
    this.#missingBytes = rows.part?.bytes ?? Number.POSITIVE_INFINITY;
    this.#leaveOutRemoved = atMostEvery(rows.removalsGoodForMs, async () =>
      rows.writer.leaveOut(await rows.latestRemovals()),
    );
  }

  async next(): Promise<ExportChunk | null> {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      if (this.#rows.header.length > 0) return this.#partOf({ bytes: this.#rows.header, rows: 0 });
    }
    const { writer } = this.#rows;
    while (!writer.isDone) {
      await this.#leaveOutRemoved();
      this.#readAhead();
      const bytesRead = (await this.#ahead)?.bytesRead ?? 0;
      this.#ahead = null;
      if (bytesRead === 0) break;
      this.#fileOffset += bytesRead;
      const finished = writer.write(bytesRead);
      this.#requireAll();
      if (!writer.isDone) this.#readAhead();
      if (finished.rows > 0) return this.#partOf(finished);
    }
    this.#requireEnd();
    return null;
  }

  reuse(): void {
    this.#rows.writer.reuse();
  }

  async close(): Promise<void> {
    await this.#ahead?.catch(() => {});
    await this.#rows.file.close();
  }

  // Reads the file while the reader takes a chunk, so that neither waits for the other. Rows are made later, and removed
  // ones are skipped then.
  #readAhead(): void {
    const { file, writer } = this.#rows;
    this.#ahead ??= file.read(writer.chunkBuffer, { position: this.#fileOffset });
    // The code that awaits the read gets its failure. A stream that was destroyed does not await it.
    this.#ahead.catch(() => {});
  }

  #partOf({ bytes, rows }: ExportChunk): ExportChunk {
    const part = bytes.subarray(this.#skippedBytes, this.#skippedBytes + this.#missingBytes);
    this.#skippedBytes = Math.max(0, this.#skippedBytes - bytes.length);
    this.#missingBytes -= part.length;
    return { bytes: part, rows };
  }

  /** A part has the bytes that its headers promised, or breaks off. */
  #requireAll(): void {
    if (this.#rows.part !== null && this.#rows.writer.leftOut.size > 0) throw new OutdatedBytesError();
  }

  #requireEnd(): void {
    const { writer, rows, part } = this.#rows;
    if (writer.visibleSeen !== rows) {
      throw new Error(`An export of ${countOf(rows, "row")} found ${writer.visibleSeen} in its file.`);
    }
    if (part !== null && this.#missingBytes > 0) {
      throw new Error(`A part of an export lacks ${countOf(this.#missingBytes, "byte")}.`);
    }
  }
}

/** Ends an answer whose bytes must not be sent any more. */
export class OutdatedBytesError extends ProblemError {
  constructor() {
    super("export_changed", "A business of this export was removed while it was read.");
  }
}

/** Runs the check, unless it ran within the last `ms` milliseconds. */
function atMostEvery(ms: number, check: () => Promise<void>): () => Promise<void> {
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = performance.now();
    if (nowMs - lastAtMs < ms) return;
    lastAtMs = nowMs;
    await check();
  };
}

/** A part of a finished file. */
export interface FilePart {
  /** Closed by the source. */
  file: FileHandle;
  range: ByteRange;
  /** The rows that a reader has who has the first so many bytes. */
  rowsIn(bytes: number): number;
  /** Whether a row of the file is removed by now. */
  hasRemoved(): Promise<boolean>;
  /** Maximum age of the removal list (ms): an older one is read again before the next chunk. */
  removalsGoodForMs: number;
}

const CHUNK_BYTES = 256 * 1024;

/** Reads a finished file. Its rows can't be left out, so it breaks off once one of them is removed. */
export class FileSource implements ExportSource {
  readonly #part: FilePart;
  #position: number;
  readonly #requireNoneRemoved: () => Promise<void>;

  constructor(part: FilePart) {
    this.#part = part;
    this.#position = part.range.first;
    this.#requireNoneRemoved = atMostEvery(part.removalsGoodForMs, async () => {
      if (await part.hasRemoved()) throw new OutdatedBytesError();
    });
  }

  async next(): Promise<ExportChunk | null> {
    const { file, range, rowsIn } = this.#part;
    const length = Math.min(CHUNK_BYTES, range.last + 1 - this.#position);
    if (length <= 0) return null;
    await this.#requireNoneRemoved();
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, this.#position);
    if (bytesRead === 0) throw new Error(`The file of an export ends at byte ${this.#position}.`);
    const before = rowsIn(this.#position);
    this.#position += bytesRead;
    return { bytes: buffer.subarray(0, bytesRead), rows: rowsIn(this.#position) - before };
  }

  reuse(): void {}

  close(): Promise<void> {
    return this.#part.file.close();
  }
}
