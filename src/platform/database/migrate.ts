import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { Log } from "../log.ts";
import { OperatorError } from "../operator-error.ts";
import { requireNoTables } from "./create-database.ts";
import { hasNoRight } from "./database-error.ts";
import { connectionTo } from "./pool.ts";
import { trySessionLock } from "./session-lock.ts";
import { begin, commit, rollBack, tryLock } from "./transaction.ts";
import { whenReachable } from "./when-reachable.ts";

export interface MigrateOptions {
  /** Prisma's layout: one folder per migration, each with a migration.sql; applied in the order of their names. */
  folder: string;
  log: Log;
  /** How long to wait for another process that is migrating. */
  lockTimeoutMs?: number;
  /** How long to wait for a server that does not answer yet; 30 s unless given. */
  connectTimeoutMs?: number | undefined;
  /** The setting that holds the address; DATABASE_URL unless given. */
  setting?: string | undefined;
}

/** Prisma's own number, so that its tools and this program never migrate at once. */
const ADVISORY_LOCK = 72_707_369;

/**
 * Applies the pending migrations and returns their names. Each file is one transaction. OperatorError: an applied file
 * was edited, the database is newer than this program or another program's, a migration came too late, a file failed, or
 * another process kept the lock.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions): Promise<string[]> {
  const { folder, log, lockTimeoutMs = 120_000 } = options;
  const migrations = await readMigrations(folder);
  const client = await reach(databaseUrl, options);
  try {
    await takeLock(client, log, lockTimeoutMs);
    // A role that may not create tables can start a program whose migrations are all applied.
    if (!(await hasLedger(client))) {
      await requireNoTables(client);
      await client.query(CREATE_LEDGER);
    }
    const pending = await pendingOf(client, migrations);
    for (const migration of pending) {
      await apply(client, migration);
      log.info({ migration: migration.name }, "Applied a migration.");
    }
    return pending.map(({ name }) => name);
  } catch (error) {
    throw hasNoRight(error) ? needsOwner(error) : error;
  } finally {
    // Ending the session gives the lock back.
    await client.end();
  }
}

/**
 * Changes nothing. OperatorError when a migration is due: the next one is in the sentence. Also when the database is newer than
 * this program.
 */
export async function requireMigrated(databaseUrl: string, options: MigrateOptions): Promise<void> {
  const migrations = await readMigrations(options.folder);
  const client = await reach(databaseUrl, options);
  try {
    const [next] = (await hasLedger(client)) ? await pendingOf(client, migrations) : migrations;
    if (next === undefined) return;
    throw new OperatorError(
      `The database is older than this program: the migration ${next.name} is due. Run this command with the program that the database is of, or "migrate" first.`,
    );
  } finally {
    await client.end();
  }
}

const reach = (
  databaseUrl: string,
  { log, connectTimeoutMs = 30_000, setting }: MigrateOptions,
): Promise<pg.Client> =>
  whenReachable((leftMs) => connect(databaseUrl, leftMs), log, connectTimeoutMs, setting);

async function connect(databaseUrl: string, leftMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionTo(databaseUrl),
    connectionTimeoutMillis: Math.min(5_000, leftMs),
  });
  // An error of the connection shows in the next statement. Without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function takeLock(client: pg.Client, log: Log, timeoutMs: number): Promise<void> {
  if (await trySessionLock(client, ADVISORY_LOCK)) return;
  log.info({ timeoutMs }, "Waiting for another process that is migrating this database.");
  await client.query(`SET lock_timeout = ${Math.ceil(timeoutMs)}`);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [ADVISORY_LOCK]);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== "55P03") throw error;
    throw new OperatorError(
      `Another process has been migrating this database for more than ${timeoutMs / 1000} s; wait for it or end it, then try again.`,
      { cause: error, solution: "later" },
    );
  }
  await client.query("RESET lock_timeout");
}

/** Whether the database was migrated by this program, of whatever release. */
export async function hasLedger(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "isThere"`,
  );
  return rows[0]?.isThere ?? false;
}

const needsOwner = (cause: unknown): OperatorError =>
  new OperatorError(
    `Migrations are due, and this role of PostgreSQL may not apply them (${(cause as Error).message}). Run "migrate" as the owner of the tables first.`,
    { cause },
  );

// Without its cause: with it, it would count as an error of a migration.
const needsGrant = (database: string | undefined, cause: unknown): OperatorError =>
  new OperatorError(
    `This role of PostgreSQL may not read the tables of ${database} (${(cause as Error).message}). Run "migrate --grant ROLE", with its name, as the owner of the tables first.`,
  );

/** Prisma's own table, so that its tools can read the applied migrations. */
const CREATE_LEDGER = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await begin(client);
    await run(client, migration);
    await commit(client);
  } catch (error) {
    await rollBack(client).catch(() => {});
    throw failureOf(migration, error);
  }
}

async function run(client: pg.ClientBase, { name, sql, checksum }: Migration): Promise<void> {
  // The whole file as one query: cutting it at semicolons would break functions and DO blocks.
  await client.query(sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
}

const failureOf = ({ name }: Migration, cause: unknown): OperatorError =>
  new OperatorError(`The migration ${name} failed and was rolled back: ${(cause as Error).message}.`, {
    cause,
  });

/**
 * Takes the lock of those who migrate until the caller's transaction ends, so that no other process of this program starts
 * meanwhile. Returns false when another process has it.
 */
export const tryLockMigrations = (client: pg.ClientBase): Promise<boolean> => tryLock(client, ADVISORY_LOCK);

/** Applies migrations, all that come next, in the caller's transaction. OperatorError when one fails. */
export async function applyMigrations(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<void> {
  await client.query(CREATE_LEDGER);
  for (const migration of migrations) {
    await run(client, migration).catch((error) => {
      throw failureOf(migration, error);
    });
  }
}

/** The program's migrations, in Prisma's layout. */
export const MIGRATIONS = path.join(import.meta.dirname, "../../../prisma/migrations");

/** One migration.sql, under the name of its folder. */
export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** Reads a folder in Prisma's layout; gives the migrations in the order in which they apply. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * The migrations still to apply. OperatorError when an applied one was edited or is unknown. OperatorError also when a
 * pending one is older than the newest applied one, because its SQL does not expect the newer changes. So the stamp of
 * a new folder is the time of its commit, or one second after the newest folder's if that is in the future. A folder
 * that any database has applied is never renamed.
 */
async function pendingOf(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows: landed } = await client
    .query<{ name: string; checksum: string; isFinished: boolean }>(
      `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
    )
    .catch((error) => {
      throw hasNoRight(error) ? needsGrant(client.database, error) : error;
    });
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, isFinished } of landed) {
    const migration = known.get(name);
    if (!migration) {
      throw new OperatorError(
        `The database is newer than this program: it has the migration ${name}; run the newer program.`,
      );
    }
    if (!isFinished) {
      throw new OperatorError(
        `The migration ${name} was begun by another tool and not finished; repair the database with that tool first.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new OperatorError(
        `The migration ${name} was edited after it was applied; restore the file and put the change into a new one.`,
      );
    }
  }
  const done = new Set(landed.map(({ name }) => name));
  const pending = migrations.filter(({ name }) => !done.has(name));
  const newest = [...done].sort().at(-1) ?? "";
  const late = pending.find(({ name }) => name < newest);
  if (late) {
    throw new OperatorError(
      `The migration ${late.name} was not applied, but the newer ${newest} was; give its folder a later time than that.`,
    );
  }
  return pending;
}
