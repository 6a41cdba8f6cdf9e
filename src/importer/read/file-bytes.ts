import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FolderFile } from "./folder.ts";
import { Refusal, unreadable } from "./refusal.ts";

/**
 * Below MALLOC_MMAP_THRESHOLD_ of the image, from which on the memory of each buffer comes from the system and goes back to it:
 * with chunks of 256 KB reading took 1.4 times the processor time.
 */
const CHUNK_SIZE_BYTES = 60 * 1024;
/** Registry files are compressed about 10 to 1. A file with a much higher ratio is not one. */
const MOST_TIMES_UNPACKED = 200;
const SMALL_SIZE_BYTES = 64 * 1024 * 1024;

/** A file's bytes, decompressed if it is gzip. `onRead` gets the bytes on disk. Refusal for a broken gzip. */
export async function* fileBytes(
  file: FolderFile,
  onRead: (chunk: Buffer) => void = () => {},
): AsyncGenerator<Buffer> {
  const read = countedBytes(file, onRead);
  if (!file.isGzip) {
    yield* read;
    return;
  }
  const unpacked = createGunzip({ chunkSize: CHUNK_SIZE_BYTES });
  // The reader of the decompressed bytes gets the errors.
  pipeline(read, unpacked, () => {});
  let sizeBytes = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > SMALL_SIZE_BYTES && sizeBytes > file.sizeBytes * MOST_TIMES_UNPACKED) {
        throw new Refusal(
          `${file.name} unpacks to more than ${MOST_TIMES_UNPACKED} times its size, which no registry file does; download it again.`,
        );
      }
      yield chunk;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new Refusal(`${file.name} is cut off or damaged (gzip: ${error.message}); download it again.`);
  } finally {
    unpacked.destroy();
  }
}

async function* countedBytes(file: FolderFile, onRead: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of fileChunks(file.path)) {
    onRead(chunk);
    yield chunk;
  }
}

/** A file's bytes as they are on disk, in chunks of which few are needed. Refusal when they can't be read. */
async function* fileChunks(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file, { highWaterMark: CHUNK_SIZE_BYTES });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The SHA-256 of a file's bytes as they are on disk, in hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileChunks(file)) hash.update(chunk);
  return hash.digest("hex");
}

const isZlibError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("Z_");

/** The first bytes of a file, decompressed; all of them if it is shorter. */
export async function fileHead(file: FolderFile, sizeBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let readBytes = 0;
  for await (const chunk of fileBytes(file)) {
    chunks.push(chunk);
    readBytes += chunk.length;
    if (readBytes >= sizeBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, sizeBytes);
}
