import type pg from "pg";
import { servedFeeds } from "../feeds/versions/feeds-list.ts";
import * as sql from "../generated/sql/backup.ts";
import type { Context } from "../platform/context.ts";
import { DatabaseUnavailableError, toDatabaseError } from "../platform/database/database-error.ts";
import { applyMigrations, MIGRATIONS, type Migration, readMigrations } from "../platform/database/migrate.ts";
import { requireKeyOfBackup } from "../platform/installation/installation.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { VERSION } from "../platform/version.ts";
import { continueNumber, newestNumber } from "../suppression/removal-list.ts";
import { type ExportedRemoval, exportRemovals, readExport } from "../suppression/transfer/export.ts";
import { mergeRemovals, type Restored } from "../suppression/transfer/import.ts";
import { listRequesters, type Requester, restoreRequesters } from "../suppression/transfer/requesters.ts";
import type { BackupHeader } from "./backup-format.ts";
import { loadTables } from "./load.ts";
import { type VerifiedBackup, verifyBackup } from "./read-backup.ts";
import { dropEverything, giveAgain, requireUnused, stateOf } from "./target.ts";

export interface RestoreOptions {
  file: string;
  /** Deletes the data that the database has. */
  replaces: boolean;
  /** The lines of an exported removal list, which is newer than the backup. Null: none is given. */
  removals: AsyncIterable<string> | null;
  /** Goes on when the removal list of the replaced database can't be read. */
  losesRemovals: boolean;
  onTable: (table: string, index: number, tables: number) => void;
}

/** A backup that was restored. */
export interface RestoreDone {
  file: string;
  made_at: string;
  program: string;
  tables: number;
  rows: number;
  /** Migrations that came after the backup. */
  migrations: string[];
  /** The removals merged from the replaced database and the given export; null if there was neither. */
  removals: Restored | null;
}

/**
 * Makes the database what it was at a backup, then applies later migrations and merges later removals. It is one
 * transaction: a restore that fails or is killed changes nothing. The context must be opened with RESTORE_CONNECTIONS,
 * so that its connections don't count as another process's. OperatorError when the file or the database may not be used.
 */
export async function restoreBackup(context: Context, options: RestoreOptions): Promise<RestoreDone> {
  const { file, onTable } = options;
  const given = options.removals && (await readExport(options.removals));
  const backup = await verifyBackup(file);
  const { header, end } = backup;
  const migrations = await migrationsOf(file, header);
  if (header.secretsCheck !== null)
    requireKeyOfBackup(context.secrets, Buffer.from(header.secretsCheck, "base64"));
  return context.db.bulkTransaction(async (client) => {
    await requireUnused(context, client);
    const replaced = await requireRestorable(context, client, options, given !== null);
    const [sequences, grants] = [await sql.listSequences(client), await sql.listGrants(client)];
    await dropEverything(client);
    await applyMigrations(client, migrations.before);
    // Also before tables are made: some rights are given to what is made later.
    await giveAgain(client, grants);
    await loadTables(client, { file, verified: end, onTable });
    await continueSequences(client, backup, sequences);
    await applyMigrations(client, migrations.after);
    // A later migration may make a sequence that the replaced database has.
    if (migrations.after.length > 0) await continueSequences(client, backup, sequences);
    await continueNumber(client, replaced?.removalsNumber ?? 0);
    await giveAgain(client, grants);
    const lists = [replaced?.list?.removals ?? null, given].filter((list) => list !== null);
    const removals = await merged(context, client, lists);
    if (replaced?.list) await restoreRequesters(client, replaced.list.requesters);
    return {
      file,
      made_at: header.madeAt,
      program: header.program,
      tables: end.parts.length,
      rows: end.parts.reduce((sum, part) => sum + part.rows, 0),
      migrations: migrations.after.map(({ name }) => name),
      removals,
    };
  });
}

/** The name of a restore's connections. */
export const RESTORE_CONNECTIONS = "tdf restore";

/** This program's migrations: those that the backup has, and later ones. OperatorError for a newer or another program. */
async function migrationsOf(
  file: string,
  { program, migrations }: BackupHeader,
): Promise<{ before: Migration[]; after: Migration[] }> {
  const own = await readMigrations(MIGRATIONS);
  const unknown = migrations.find(({ name }, index) => own[index]?.name !== name);
  if (unknown || isNewer(program)) {
    throw new OperatorError(
      `The backup ${file} was made by program ${program}, newer than this one (${VERSION})` +
        `${unknown ? `: it has the migration ${unknown.name}` : ""}. Restore it with that program; nothing was changed.`,
    );
  }
  const edited = migrations.find(({ checksum }, index) => own[index]?.checksum !== checksum);
  if (edited) {
    throw new OperatorError(
      `The migration ${edited.name} was edited after the backup ${file} was made; restore its file first. Nothing was changed.`,
    );
  }
  return { before: own.slice(0, migrations.length), after: own.slice(migrations.length) };
}

function isNewer(program: string): boolean {
  const [theirs, ours] = [program, VERSION].map((version) => version.split(".").map(Number));
  const at = (theirs ?? []).findIndex((number, index) => number !== ours?.[index]);
  return at >= 0 && (theirs?.[at] ?? 0) > (ours?.[at] ?? 0);
}

/** What is taken over from a database that is replaced. */
interface Replaced {
  /** Null if it can't be read. */
  list: { removals: ExportedRemoval[]; requesters: Requester[] } | null;
  /** The number of the list's last change; 0 if it can't be read. */
  removalsNumber: number;
}

/** Checks that the database may be replaced. Returns what is taken over from it, or null if it is new. */
async function requireRestorable(
  context: Context,
  client: pg.PoolClient,
  { replaces, losesRemovals }: RestoreOptions,
  hasNewerList: boolean,
): Promise<Replaced | null> {
  const state = await stateOf(client);
  if (state === "foreign") {
    throw new OperatorError("This database holds tables of another program. Restore into an empty database.");
  }
  if (state === "new") return null;
  if (!replaces) {
    throw new OperatorError(
      "This database has data. Add --replace to delete it, or restore into an empty database. Nothing was changed.",
    );
  }
  // Not in the transaction: what can't be read would end it.
  const [list, removalsNumber] = await Promise.all([
    ifReadable(readList(context), hasNewerList || losesRemovals),
    ifReadable(newestNumber(context.db.bulkPool), hasNewerList || losesRemovals),
  ]);
  return { list, removalsNumber: removalsNumber ?? 0 };
}

async function readList(context: Context): Promise<NonNullable<Replaced["list"]>> {
  const lines: string[] = [];
  await exportRemovals(context, async (some) => void lines.push(...some));
  return { removals: await readExport(lines), requesters: await listRequesters(context) };
}

/** What is read of the removal list; null when it can't be read and may be lost. */
async function ifReadable<Read>(reading: Promise<Read>, mayBeLost: boolean): Promise<Read | null> {
  try {
    return await reading;
  } catch (error) {
    if (toDatabaseError(error) instanceof DatabaseUnavailableError) throw error;
    if (mayBeLost) return null;
    throw new OperatorError(
      "The removal list of this database can't be read, so businesses removed since the backup would come back. Name its " +
        "newest export with --removals, or add --lose-removals. Nothing was changed.",
      { cause: error },
    );
  }
}

/** Behind the numbers of the replaced database too: readers know them as those of other events, versions and so on. */
async function continueSequences(
  client: pg.PoolClient,
  { header }: VerifiedBackup,
  replaced: readonly sql.ListSequencesRow[],
): Promise<void> {
  const values = new Map<string, number>();
  for (const { name, value } of [...header.sequences, ...replaced])
    values.set(name, Math.max(value, values.get(name) ?? 0));
  for (const [name, value] of values) await sql.setSequence(client, { name, value });
}

async function merged(
  { clock, log }: Context,
  client: pg.PoolClient,
  lists: readonly ExportedRemoval[][],
): Promise<Restored | null> {
  if (lists.length === 0) return null;
  const sum: Restored = { requests: 0, unknown: 0, businesses: 0 };
  for (const list of lists) {
    const one = await mergeRemovals(client, servedFeeds, list, clock.now());
    for (const key of ["requests", "unknown", "businesses"] as const) sum[key] += one[key];
  }
  log.info(sum, "A restore merged the later removals.");
  return sum;
}
