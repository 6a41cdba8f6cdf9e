import type { Context } from "../platform/context.ts";
import { dynamic } from "../platform/database/statement.ts";
import type { KeptTable } from "./kept-tables.ts";
import * as sql from "./statements.ts";

/** The time of the oldest row; null when there is none. Of a partitioned table it reads the first month that has rows. */
export async function oldestOf(
  { db }: Pick<Context, "db">,
  { table, time, by }: Pick<KeptTable, "table" | "time" | "by">,
): Promise<Date | null> {
  const parts = by === "months" ? await partitionsOf(db.bulkPool, table) : [table];
  for (const part of parts) {
    const { rows } = await dynamic(
      db.bulkPool,
      `SELECT min(${time})::timestamptz AS oldest FROM ${part} AS ${table}`,
    );
    const [found] = rows as { oldest: Date | null }[];
    if (found?.oldest) return found.oldest;
  }
  return null;
}

async function partitionsOf(client: Parameters<typeof dynamic>[0], table: string): Promise<string[]> {
  const { rows } = await sql.listMonths.run(client, { table, before: null });
  return rows.map(({ name }) => name);
}
