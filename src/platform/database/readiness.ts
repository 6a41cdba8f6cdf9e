import * as sql from "../../generated/sql/platform/database.ts";
import type { Context } from "../context.ts";
import { MIGRATIONS, readMigrations } from "./migrate.ts";

let expected: Promise<string[]> | undefined;

/** Whether the database answers and has every migration that this program needs. Never throws. */
export async function isDatabaseReady(context: Context): Promise<boolean> {
  try {
    expected ??= readMigrations(MIGRATIONS).then((migrations) => migrations.map(({ name }) => name));
    const names = await expected;
    const { applied } = await sql.countAppliedMigrations(context.db.pool, { names });
    return applied === names.length;
  } catch (error) {
    context.log.warn({ err: error }, "The database did not answer the readiness check.");
    return false;
  }
}
