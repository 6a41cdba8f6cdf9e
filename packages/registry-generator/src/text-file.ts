import { type FileHandle, open, rm } from "node:fs/promises";

const CHUNK_SIZE_BYTES = 256 * 1024;

/** A text file being written: lines are buffered until a chunk is full, then `settle` waits for the disk. */
export interface TextFile {
  /** Adds one line; with `latin1` in that encoding, as some lines of the registry. */
  add(line: string, latin1?: boolean): void;
  /** Waits until less than a chunk is unwritten. Call it once per carrier to keep memory flat. */
  settle(): Promise<void>;
  /** Writes the buffer, closes the file and returns the number of lines. */
  close(): Promise<number>;
  /** Closes the file without writing the buffer, and deletes it. */
  abandon(): Promise<void>;
}

/** Creates or replaces the file at `path`. Errors of the file system are thrown unchanged. */
export async function createTextFile(path: string): Promise<TextFile> {
  const handle: FileHandle = await open(path, "w");
  let text = "";
  let chunks: Buffer[] = [];
  let chunkedBytes = 0;
  let lines = 0;

  const chunk = (line: string, encoding: BufferEncoding) => {
    const bytes = Buffer.from(line, encoding);
    chunks.push(bytes);
    chunkedBytes += bytes.length;
  };
  const write = async () => {
    if (text !== "") chunk(text, "utf8");
    text = "";
    const waiting = Buffer.concat(chunks);
    chunks = [];
    chunkedBytes = 0;
    if (waiting.length > 0) await handle.writeFile(waiting);
  };
  return {
    add(line, latin1 = false) {
      lines += 1;
      if (!latin1) {
        text += `${line}\n`;
        return;
      }
      if (text !== "") chunk(text, "utf8");
      text = "";
      chunk(`${line}\n`, "latin1");
    },
    async settle() {
      if (text.length + chunkedBytes >= CHUNK_SIZE_BYTES) await write();
    },
    async close() {
      await write();
      await handle.close();
      return lines;
    },
    async abandon() {
      await handle.close();
      await rm(path, { force: true });
    },
  };
}

/** A CSV field, quoted only when necessary. */
export const csvField = (value: string): string =>
  /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** A line whose fields are quoted only where necessary. */
export const csvLine = (fields: readonly string[]): string => fields.map(csvField).join(",");

/** A line with every field in quotes, as in the legacy text files, except numbers in the columns of `bare`. */
export const quotedLine = (fields: readonly string[], bare: readonly number[] = []): string =>
  fields
    .map((field, column) =>
      bare.includes(column) && /^\d+$/.test(field) ? field : `"${field.replaceAll('"', '""')}"`,
    )
    .join(",");
