// The whole database as one file, and back. The tables are those of the catalogue, whichever module owns them. Working
// data in unlogged tables is left out.
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import type pg from "pg";
import * as sql from "../generated/sql/backup.ts";
import type { Context } from "../platform/context.ts";
import { copyTo } from "../platform/database/copy.ts";
import { dynamic } from "../platform/database/statement.ts";
import { beginSnapshot, commit, rollBack } from "../platform/database/transaction.ts";
import { secretsCheckIn } from "../platform/installation/installation.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { writeFileWhole } from "../platform/operator-file.ts";
import { VERSION } from "../platform/version.ts";
import {
  type BackupEnd,
  type BackupHeader,
  type BackupPart,
  columnsToCopy,
  FORMAT,
  FRAME_HEAD_BYTES,
  FRAME_KINDS,
  type FrameKind,
  ROWS_BYTES,
  type TableDefinition,
} from "./backup-format.ts";

/** A backup that was written. */
export interface BackupMade {
  file: string;
  made_at: string;
  program: string;
  newest_migration: string;
  tables: number;
  rows: number;
  size_bytes: number;
}

export interface BackupOptions {
  file: string;
  /** Stops the backup; nothing is left of it. */
  signal: AbortSignal;
  onTable: (table: string, index: number, tables: number) => void;
}

/**
 * Writes every row as of one moment to a file. Readers, imports and deliveries go on. The file gets its name when it is
 * complete; a file of that name stays as it is until then. OperatorError when it can't be written, or was stopped.
 */
export const makeBackup = (context: Context, options: BackupOptions): Promise<BackupMade> =>
  writeFileWhole({ ...options, what: "backup" }, (handle) => writeBackup(context, handle, options));

const writeBackup = (context: Context, handle: FileHandle, options: BackupOptions): Promise<BackupMade> =>
  inSnapshot(context, async (client, tables) => {
    const header = await headerOf(context, client);
    const parts: BackupPart[] = [];
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const output = handle.createWriteStream({ flush: true });
    const frames = framesOf(client, { header, tables, parts, onTable: options.onTable });
    await pipeline(frames, compress, output, { signal: options.signal });
    return {
      file: options.file,
      made_at: header.madeAt,
      program: VERSION,
      newest_migration: header.migrations.at(-1)?.name ?? "",
      tables: tables.length,
      rows: parts.reduce((sum, part) => sum + part.rows, 0),
      size_bytes: output.bytesWritten,
    };
  });

type Work<T> = (client: pg.PoolClient, tables: readonly TableDefinition[]) => Promise<T>;

async function inSnapshot<T>({ db }: Context, work: Work<T>): Promise<T> {
  const client = await db.bulkPool.connect();
  let failure: Error | undefined;
  try {
    const result = await work(client, await openSnapshot(client));
    await commit(client);
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // After a failure the connection may still be copying: the pool drops it.
    client.release(failure);
  }
}

const TRIES = 10;
const UNDEFINED_TABLE = "42P01";

/**
 * Opens a transaction on one snapshot, and returns the tables in it. They are locked before the snapshot is taken:
 * otherwise an import could drop the table of an old version meanwhile.
 */
async function openSnapshot(client: pg.PoolClient): Promise<readonly TableDefinition[]> {
  for (let tried = 0; tried < TRIES; tried++) {
    const found = await sql.listTables(client);
    await beginSnapshot(client);
    const names = found.map(({ name }) => name).join(", ");
    const isLocked = await dynamic(client, `LOCK TABLE ${names} IN ACCESS SHARE MODE`).then(
      () => true,
      (error: pg.DatabaseError) => {
        if (error.code === UNDEFINED_TABLE) return false;
        throw error;
      },
    );
    if (isLocked) {
      const tables = await sql.listTables(client);
      if (tables.map(({ name }) => name).join(", ") === names) return tables;
    }
    await rollBack(client);
  }
  throw new OperatorError("The tables of feed versions change all the time; try again when no import runs.", {
    solution: "later",
  });
}

async function headerOf({ clock }: Context, client: pg.PoolClient): Promise<BackupHeader> {
  const migrations = await sql.appliedMigrations(client);
  // Read after the snapshot was taken: every number in a row of the snapshot is at most the sequence's.
  const sequences = await sql.listSequences(client);
  const check = await secretsCheckIn(client);
  return {
    format: FORMAT,
    program: VERSION,
    madeAt: clock.now().toISOString(),
    migrations,
    secretsCheck: check?.toString("base64") ?? null,
    sequences,
  };
}

interface Contents {
  header: BackupHeader;
  tables: readonly TableDefinition[];
  /** Gets the sum of each table. */
  parts: BackupPart[];
  onTable: BackupOptions["onTable"];
}

async function* framesOf(client: pg.PoolClient, { header, tables, parts, onTable }: Contents) {
  const first = Buffer.from(JSON.stringify(header));
  yield* frame("header", first);
  for (const [index, table] of tables.entries()) {
    onTable(table.name, index, tables.length);
    const definition = Buffer.from(JSON.stringify(table));
    const sum = createHash("sha256").update(definition);
    let rows = 0;
    yield* frame("table", definition);
    for await (const chunk of copyTo(client, copyCommand(table))) {
      sum.update(chunk);
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) rows += 1;
      for (let at = 0; at < chunk.length; at += ROWS_BYTES)
        yield* frame("rows", chunk.subarray(at, at + ROWS_BYTES));
    }
    parts.push({ table: table.name, rows, sha256: sum.digest("hex") });
  }
  const end: BackupEnd = { headerSha256: createHash("sha256").update(first).digest("hex"), parts };
  yield* frame("end", Buffer.from(JSON.stringify(end)));
}

function* frame(kind: FrameKind, bytes: Buffer): Generator<Buffer> {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt8(FRAME_KINDS[kind], 0);
  head.writeUInt32BE(bytes.length, 1);
  yield head;
  yield bytes;
}

const copyCommand = (table: TableDefinition): string =>
  `COPY ${table.name} (${columnsToCopy(table)}) TO STDOUT`;
