import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { OperatorError } from "../operator-error.ts";

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
export async function pendingOf(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows: landed } = await client.query<{ name: string; checksum: string; isFinished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
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
