import type pg from "pg";
import { versionTable } from "../versions/version-table.ts";

/** How many rows of a version have their status from which registry. */
export async function countRowsBySource(
  client: pg.ClientBase,
  versionId: number,
): Promise<Record<string, number>> {
  // Inside a JSON text a quote is escaped, so that these words can only be the member itself.
  const { rows } = await client.query<{ motus: number; all: number }>(
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE json LIKE '%"status_source":"motus"%'))::int AS motus
     FROM ${versionTable(versionId)}`,
  );
  const { motus = 0, all = 0 } = rows[0] ?? {};
  return { motus, legacy: all - motus };
}
