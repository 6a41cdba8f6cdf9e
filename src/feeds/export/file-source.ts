import type { FileHandle } from "node:fs/promises";
import { atMostEvery } from "./at-most-every.ts";
import type { ByteRange } from "./byte-range.ts";
import type { ExportChunk, ExportSource } from "./export-stream.ts";
import { removedMeanwhile } from "./row-source.ts";

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
      if (await part.hasRemoved()) throw removedMeanwhile();
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
