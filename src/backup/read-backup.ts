import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { createZstdDecompress } from "node:zlib";
import { OperatorError } from "../platform/operator-error.ts";
import { requireFile } from "../platform/operator-file.ts";
import {
  type BackupEnd,
  type BackupHeader,
  type BackupPart,
  damaged,
  FORMAT,
  FRAME_HEAD_BYTES,
  FRAME_KINDS,
  type FrameKind,
  type TableDefinition,
} from "./backup-format.ts";

/** A part of a backup, in the order of the file. `rows` are bytes of COPY of the table before. */
type Item =
  | { kind: "header"; header: BackupHeader }
  | { kind: "table"; table: TableDefinition }
  | { kind: "rows"; bytes: Buffer }
  | { kind: "end"; end: BackupEnd };

/**
 * Reads a backup. The sums are compared as the rows pass by, so the last item, `end`, comes only if the whole file is as it
 * was written. OperatorError when it is cut or altered, when another program wrote it, or when it can't be read.
 */
export async function* readBackup(file: string): AsyncGenerator<Item> {
  const sums = new Sums(file);
  let last: FrameKind | null = null;
  for await (const { kind, bytes } of framesIn(file)) {
    if (last === "end") throw damaged(file, FOLLOWED);
    if ((last === null) !== (kind === "header")) throw last === null ? notABackup(file) : altered(file);
    yield itemOf(file, kind, bytes, sums);
    last = kind;
  }
  if (last !== "end") throw damaged(file, "its end is missing");
}

function itemOf(file: string, kind: FrameKind, bytes: Buffer, sums: Sums): Item {
  switch (kind) {
    case "header": {
      const header = jsonOf<BackupHeader>(file, bytes);
      requireFormat(file, header);
      sums.addHeader(bytes);
      return { kind, header };
    }
    case "table": {
      const table = jsonOf<TableDefinition>(file, bytes);
      sums.beginTable(table.name, bytes);
      return { kind, table };
    }
    case "rows":
      sums.addRows(bytes);
      return { kind, bytes };
    case "end": {
      const end = jsonOf<BackupEnd>(file, bytes);
      if (!isDeepStrictEqual(end, sums.end())) throw altered(file);
      return { kind, end };
    }
  }
}

/** Sums up the frames of a file as its end should give them. */
class Sums {
  readonly #file: string;
  readonly #tables: { table: string; rows: number; sum: Hash }[] = [];
  #headerSha256: string | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  addHeader(bytes: Buffer): void {
    this.#headerSha256 = createHash("sha256").update(bytes).digest("hex");
  }

  beginTable(table: string, bytes: Buffer): void {
    this.#tables.push({ table, rows: 0, sum: createHash("sha256").update(bytes) });
  }

  addRows(bytes: Buffer): void {
    const table = this.#tables.at(-1);
    if (!table) throw damaged(this.#file, "rows are of no table");
    table.sum.update(bytes);
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) table.rows += 1;
  }

  end() {
    const parts: BackupPart[] = this.#tables.map(({ table, rows, sum }) => ({
      table,
      rows,
      sha256: sum.digest("hex"),
    }));
    return { headerSha256: this.#headerSha256, parts };
  }
}

/** What a backup holds, without its rows. */
export interface VerifiedBackup {
  header: BackupHeader;
  end: BackupEnd;
}

/**
 * Reads a whole backup and compares every sum, before anything is changed. OperatorError as `readBackup`, and for a pipe, which
 * can't be read again.
 */
export async function verifyBackup(file: string): Promise<VerifiedBackup> {
  await requireFile(file);
  let header: BackupHeader | null = null;
  let end: BackupEnd | null = null;
  for await (const item of readBackup(file)) {
    if (item.kind === "header") header = item.header;
    if (item.kind === "end") end = item.end;
  }
  if (header === null || end === null) throw notABackup(file);
  return { header, end };
}

const FOLLOWED = "something follows its end";
const notABackup = (file: string): OperatorError => damaged(file, "it is not a file that `tdf backup` wrote");
const altered = (file: string): OperatorError => damaged(file, "it was altered");

function requireFormat(file: string, { format, program }: BackupHeader): void {
  if (format === FORMAT) return;
  if (!/^tdf backup \d+$/.test(format ?? "")) throw notABackup(file);
  throw new OperatorError(
    `The backup ${file} was made by the newer program ${program}; restore it with that. Nothing was changed.`,
  );
}

function jsonOf<T>(file: string, bytes: Buffer): T {
  try {
    return JSON.parse(bytes.toString()) as T;
  } catch {
    throw altered(file);
  }
}

const KINDS = new Map(Object.entries(FRAME_KINDS).map(([kind, code]) => [code, kind as FrameKind]));
/** No frame is longer. An altered length must not fill the memory. */
const LONGEST_FRAME_BYTES = 64 * 2 ** 20;

async function* framesIn(file: string): AsyncGenerator<{ kind: FrameKind; bytes: Buffer }> {
  let rest: Buffer = Buffer.alloc(0);
  let isBackup = false;
  // A file that is only cut fails in the decompression.
  const broken = () => (isBackup ? altered(file) : notABackup(file));
  for await (const chunk of decompressed(file)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= FRAME_HEAD_BYTES) {
      const kind = KINDS.get(rest.readUInt8(0) as (typeof FRAME_KINDS)[FrameKind]);
      const end = FRAME_HEAD_BYTES + rest.readUInt32BE(1);
      if (kind === undefined || end > LONGEST_FRAME_BYTES) throw broken();
      if (rest.length < end) break;
      isBackup = true;
      yield { kind, bytes: rest.subarray(FRAME_HEAD_BYTES, end) };
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw broken();
}

async function* decompressed(file: string): AsyncGenerator<Buffer> {
  const input = createReadStream(file);
  const output = createZstdDecompress();
  input.on("error", (error) => output.destroy(error));
  input.pipe(output);
  try {
    for await (const chunk of output) yield chunk as Buffer;
    // The decompression ends with its stream, and does not look at what comes after it.
    if (output.bytesWritten !== (await stat(file)).size) throw damaged(file, FOLLOWED);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new OperatorError(`The file ${file} can't be read (${code}).`);
    if (code === "Z_BUF_ERROR") throw damaged(file, "its end is missing");
    throw damaged(file, "it was altered, or is not a file that `tdf backup` wrote");
  } finally {
    input.destroy();
    output.destroy();
  }
}
