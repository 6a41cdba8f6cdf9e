import type pg from "pg";
import * as sql from "../generated/sql/backup.ts";
import { copyFrom } from "../platform/database/copy.ts";
import { analyze, dynamic } from "../platform/database/statement.ts";
import { type BackupEnd, columnsToCopy, damaged, type TableDefinition } from "./backup-format.ts";
import { readBackup } from "./read-backup.ts";

export interface LoadOptions {
  file: string;
  /** The sums that the file had when it was verified. */
  verified: BackupEnd;
  onTable: (table: string, index: number, tables: number) => void;
}

/**
 * Loads the rows of a backup into the tables of its migrations, all of which the caller's transaction has made. Makes the
 * tables that no migration makes. Foreign keys and indexes come after the rows, which is faster.
 */
export async function loadTables(client: pg.PoolClient, options: LoadOptions): Promise<void> {
  const slow = await sql.slowParts(client);
  for (const { remove } of slow) await dynamic(client, remove);
  const made = await sql.listTables(client);
  // Triggers are for changes by the program. Some refuse to empty a table in which a migration puts rows.
  for (const { name } of made) {
    await dynamic(client, `ALTER TABLE ${name} DISABLE TRIGGER USER`);
    await dynamic(client, `TRUNCATE ${name}`);
  }
  const loaded = await loadRows(client, new Set(made.map(({ name }) => name)), options);
  for (const { name, indexes } of loaded)
    if (!made.some((each) => each.name === name)) await runAll(client, indexes);
  await runAll(client, slow.map(({ restore }) => restore).reverse());
  for (const { name } of made) await dynamic(client, `ALTER TABLE ${name} ENABLE TRIGGER USER`);
  for (const { name } of loaded) await analyze(client, name);
}

const runAll = async (client: pg.PoolClient, commands: readonly string[]): Promise<void> => {
  for (const command of commands) await dynamic(client, command);
};

async function loadRows(
  client: pg.PoolClient,
  made: ReadonlySet<string>,
  { file, verified, onTable }: LoadOptions,
): Promise<TableDefinition[]> {
  const loaded: TableDefinition[] = [];
  const open: { copy: Copying | null } = { copy: null };
  try {
    for await (const item of readBackup(file)) {
      if (item.kind === "rows") {
        await open.copy?.write(item.bytes);
        continue;
      }
      await open.copy?.end();
      open.copy = null;
      if (item.kind === "table") {
        const { table } = item;
        onTable(table.name, loaded.length, verified.parts.length);
        if (!made.has(table.name)) await makeTable(client, table);
        open.copy = copyInto(client, table);
        loaded.push(table);
      }
      if (item.kind === "end" && JSON.stringify(item.end) !== JSON.stringify(verified))
        throw damaged(file, "it was altered while it was restored");
    }
  } catch (error) {
    await open.copy?.abort(error as Error);
    throw error;
  }
  return loaded;
}

interface Copying {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
  /** Ends it without its rows, so that the transaction can be rolled back. */
  abort(reason: Error): Promise<void>;
}

/**
 * COPY with FREEZE: the transaction has made or emptied the table, so its rows need no later work by VACUUM. Rows of a
 * default partition are of months that had no partition, and may have one now.
 */
function copyInto(client: pg.PoolClient, table: TableDefinition): Copying {
  const { name, partition_of: whole } = table;
  const target =
    whole?.bound === "DEFAULT" ? { name: whole.table, options: "" } : { name, options: " (FREEZE)" };
  const columns = columnsToCopy(table);
  const stream = copyFrom(client, `COPY ${target.name} (${columns}) FROM STDIN${target.options}`);
  let failure: Error | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    stream.once("finish", resolve);
    stream.once("error", reject);
  });
  ended.catch((error) => {
    failure = error;
  });
  return {
    write: async (bytes) => {
      if (failure) throw failure;
      if (!stream.write(bytes)) await Promise.race([drained(stream), ended]);
    },
    end: async () => {
      stream.end();
      await ended;
    },
    abort: async (reason) => {
      if (failure) return;
      stream.destroy(reason);
      await ended.catch(() => {});
    },
  };
}

const drained = (stream: NodeJS.EventEmitter): Promise<void> =>
  new Promise((resolve) => {
    stream.once("drain", resolve);
  });

/** Makes a table without its indexes. */
async function makeTable(client: pg.PoolClient, table: TableDefinition): Promise<void> {
  const { name, columns, constraints, options, partition_of: whole } = table;
  if (whole) {
    await dynamic(client, `CREATE TABLE ${name} PARTITION OF ${whole.table} ${whole.bound}`);
    return;
  }
  const columnTexts = columns.map(
    (column) => `${column.name} ${column.type}${column.notNull ? " NOT NULL" : ""}`,
  );
  const withOptions = options ? ` WITH (${options.join(", ")})` : "";
  await dynamic(
    client,
    `CREATE TABLE ${name} (${[...columnTexts, ...constraints].join(", ")})${withOptions}`,
  );
  for (const column of columns.filter(({ storage }) => storage !== null)) {
    const word = STORAGE_WORDS[column.storage ?? ""] ?? "DEFAULT";
    await dynamic(client, `ALTER TABLE ${name} ALTER COLUMN ${column.name} SET STORAGE ${word}`);
  }
}

/** The words for the letters of pg_attribute.attstorage. */
const STORAGE_WORDS: Readonly<Record<string, string>> = {
  p: "PLAIN",
  e: "EXTERNAL",
  m: "MAIN",
  x: "EXTENDED",
};
