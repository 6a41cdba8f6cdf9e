import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fileBytes } from "../../../src/importer/read/file-bytes.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "file-bytes-"));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([false, true])(
  "chunks are smaller than the buffers whose memory the image gives back to the system each time (gzip: %s)",
  async (isGzip) => {
    const image = await readFile(path.join(import.meta.dirname, "../../../Dockerfile"), "utf8");
    const threshold = Number(/MALLOC_MMAP_THRESHOLD_=(\d+)/.exec(image)?.[1]);
    const bytes = Buffer.alloc(10 * threshold, "a row\n");
    const file = path.join(folder, `rows-${isGzip}`);
    await writeFile(file, isGzip ? gzipSync(bytes) : bytes);
    const chunks: Buffer[] = [];
    const read = fileBytes({ name: "rows", path: file, sizeBytes: bytes.length, isGzip });
    for await (const chunk of read) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(Math.max(...chunks.map(({ buffer }) => buffer.byteLength))).toBeLessThan(threshold);
  },
);
