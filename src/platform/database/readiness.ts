import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../context.ts";

const MIGRATIONS = path.join(import.meta.dirname, "../../../prisma/migrations");

let expected: Promise<string[]> | undefined;

/** Whether the database answers and has every migration that this program needs. Never throws. */
export async function isDatabaseReady(context: Context): Promise<boolean> {
  try {
    expected ??= migrationNames();
    const names = await expected;
    const { rows } = await context.db.pool.query<{ applied: number }>(
      `SELECT count(*) AS applied FROM _prisma_migrations
       WHERE migration_name = ANY($1) AND finished_at IS NOT NULL AND rolled_back_at IS NULL`,
      [names],
    );
    return rows[0]?.applied === names.length;
  } catch (error) {
    context.log.warn({ err: error }, "The database did not answer the readiness check.");
    return false;
  }
}

async function migrationNames(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}
