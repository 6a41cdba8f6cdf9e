import type { FileHandle } from "node:fs/promises";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Fields } from "../records/fields.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import { type RowShape, RowWriter } from "./row-writer.ts";

/** Whole rows of JSON, each ended by LF, with these columns alone. */
export function cutRows(rows: Buffer, { cut }: Fields): Buffer {
  // One character for each byte, so that a cut row has the bytes of the whole one.
  const lines = rows.toString("latin1").split("\n").slice(0, -1);
  return Buffer.from(lines.map((line) => `${cut(line)}\n`).join(""), "latin1");
}

const CACHE_BYTES = 8 * 1024 * 1024;

/** The bytes of cut rows, by file and columns. */
export const cutLengthsOf = perDatabase(() =>
  createByteCache<Uint32Array>(CACHE_BYTES, ({ byteLength }) => byteLength),
);

/** Measures the cut row of each line of a version's file, LF included. It reads the whole file. */
export async function measureCutRows(
  file: FileHandle,
  shape: RowShape,
  rowCount: number,
): Promise<Uint32Array> {
  const lengths = new Uint32Array(rowCount);
  const writer = new RowWriter(shape, { listed: null, removed: new Int32Array(0) });
  let [position, row] = [0, 0];
  for (;;) {
    const { bytesRead } = await file.read(writer.chunkBuffer, { position });
    if (bytesRead === 0) break;
    position += bytesRead;
    const { bytes } = writer.write(bytesRead);
    writer.reuse();
    for (let from = 0; from < bytes.length; row++) {
      const next = bytes.indexOf(0x0a, from) + 1;
      lengths[row] = next - from;
      from = next;
    }
  }
  if (row !== rowCount) throw new Error(`A file of ${rowCount} rows has ${row}.`);
  return lengths;
}
