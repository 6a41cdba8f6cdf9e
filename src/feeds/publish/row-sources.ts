import type pg from "pg";
import { versionTable } from "../versions/version-table.ts";

/** How many rows of a version have their status from Motus, and how many from the legacy registry. */
export async function countRowsBySource(
  client: pg.ClientBase,
  versionId: number,
): Promise<Record<string, number>> {
  // JSON escapes quotes inside a value, so this text can only be the member itself.
  const { rows } = await client.query<{ motus: number; all: number }>(
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE json LIKE '%"status_source":"motus"%'))::int AS motus
     FROM ${versionTable(versionId)}`,
  );
  const { motus = 0, all = 0 } = rows[0] ?? {};
  return { motus, legacy: all - motus };
}
