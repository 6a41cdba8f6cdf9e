import { type FileHandle, open } from "node:fs/promises";

const CHUNK_SIZE_BYTES = 256 * 1024;

/** A text file being written: lines gather in memory until there is a chunk, then `settle` waits for the disk. */
export interface TextFile {
  /** Adds one line; `latin1` writes it in that encoding, as some lines of the registry are. */
  add(line: string, latin1?: boolean): void;
  /** Waits until less than a chunk is unwritten. Called once per carrier, it keeps memory flat. */
  settle(): Promise<void>;
  /** Writes what is left, closes the file and tells how many lines were added. */
  close(): Promise<number>;
  /** Closes the file without writing what is left. */
  abandon(): Promise<void>;
}

/** Creates or replaces the file at `path`. Errors of the file system are thrown as they are. */
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
    abandon: () => handle.close(),
  };
}

/** A CSV field, quoted only when it must be. */
export const csvField = (value: string): string =>
  /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** A line whose fields are quoted only where they must be. */
export const csvLine = (fields: readonly string[]): string => fields.map(csvField).join(",");

/** A line with every field in quotes, as the legacy text files have them, but for numbers in the columns of `bare`. */
export const quotedLine = (fields: readonly string[], bare: readonly number[] = []): string =>
  fields
    .map((field, column) =>
      bare.includes(column) && /^\d+$/.test(field) ? field : `"${field.replaceAll('"', '""')}"`,
    )
    .join(",");
