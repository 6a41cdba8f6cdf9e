import { dynamic, type Queryable } from "../../platform/database/statement.ts";
import { versionTable } from "../versions/version-table.ts";

/** How many rows of a version have their status from Motus, and how many from the legacy registry. */
export async function countRowsBySource(
  client: Queryable,
  versionId: number,
): Promise<Record<string, number>> {
  // JSON escapes quotes inside a value, so this text can only be the member itself.
  const { rows } = await dynamic(
    client,
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE strpos(json, '"status_source":"motus"') > 0))::int AS motus
     FROM ${versionTable(versionId)}`,
  );
  const { motus, all } = rows[0] as { motus: number; all: number };
  return { motus, legacy: all - motus };
}
