// Authority events: what changed in the registry between two imports, found by comparison and written once.
// Owns the tables event and detection. Promises that ids commit in order: the importer, which holds a lock of its own,
// is the only writer.
import type pg from "pg";
import { loadSql } from "../platform/sql.ts";
import type { EventType } from "./event-types.ts";

const detectHistory = loadSql(import.meta.url, "detect-history.sql");
const detectNotices = loadSql(import.meta.url, "detect-notices.sql");
const detectStatuses = loadSql(import.meta.url, "detect-statuses.sql");

export interface Detection {
  asOf: string;
  now: Date;
  /** US state codes; an event elsewhere has no state. */
  states: readonly string[];
  /**
   * What the import before left: its as-of day, and whether each file was among what was imported. A first import is a
   * baseline, and all of it only history.
   */
  knows: { asOf: string | null; history: boolean; notices: boolean; statuses: boolean };
}

/**
 * Writes the events of this import, after everything else of it, in its transaction: history first, so that the most
 * telling event of a change is the one that stands. Returns how many of each type.
 */
export async function detectEvents(
  client: pg.ClientBase,
  { asOf, now, states, knows }: Detection,
): Promise<Partial<Record<EventType, number>>> {
  // Readers turn a time into a place among the ids: a clock set back must not put a later event before an earlier one.
  const { rows } = await client.query<{ at: Date }>(
    "SELECT greatest($1::timestamptz, (SELECT finished_at FROM detection)) AS at",
    [now],
  );
  const detectedAt = rows[0]?.at ?? now;
  const written: { type: EventType }[] = [];
  const write = async (statement: string, parameters: unknown[]) => {
    written.push(...(await client.query<{ type: EventType }>(statement, parameters)).rows);
  };
  if (knows.history) await write(detectHistory, [asOf, detectedAt, states, knows.asOf]);
  if (knows.notices) await write(detectNotices, [detectedAt, states]);
  if (knows.statuses) await write(detectStatuses, [asOf, detectedAt, states]);
  await client.query(
    `INSERT INTO detection (finished_at, as_of) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET finished_at = excluded.finished_at, as_of = excluded.as_of`,
    [detectedAt, asOf],
  );
  const byType = Map.groupBy(written, ({ type }) => type);
  return Object.fromEntries([...byType].map(([type, events]) => [type, events.length]));
}
