import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../context.ts";
import * as sql from "./statements.ts";

const MIGRATIONS = path.join(import.meta.dirname, "../../../prisma/migrations");

let expected: Promise<string[]> | undefined;

/** Whether the database answers and has every migration that this program needs. Never throws. */
export async function isDatabaseReady(context: Context): Promise<boolean> {
  try {
    expected ??= migrationNames();
    const names = await expected;
    const { rows } = await sql.countAppliedMigrations.run(context.db.pool, { names });
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
