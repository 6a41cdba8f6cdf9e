import zlib from "node:zlib";
import { parquetReadObjects } from "hyparquet";

/** The records of a Parquet file, read by a library that did not write it. */
export const parquetRecords = (bytes: Buffer): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({
    file: new Uint8Array(bytes).buffer,
    compressors: { ZSTD: (packed) => zlib.zstdDecompressSync(packed) },
  });
