import * as sql from "../generated/sql/events.ts";
import type { Database } from "../platform/context.ts";
import { perDatabase } from "../platform/database/per-database.ts";
import { groupLoader } from "../platform/database/tick-loader.ts";
import type { Detection } from "./detection.ts";

/** Where reading can start, and the state of all events then: the row of the statement position. */
export interface Start extends Omit<sql.PositionRow, "finishedAt" | "asOf"> {
  detection: Detection | null;
}

// Requests of one event-loop turn that begin at the same time, or at cursors, share a statement.
const startsOf = perDatabase((db) =>
  groupLoader<number | "cursor", Start>(
    (from) => from,
    async ([from]) => {
      const start = await readStart(db, from === "cursor" ? null : from);
      return () => start;
    },
  ),
);

/** The start of a request: at the events since a time in milliseconds since 1970, or at a cursor. */
export const startOf = (db: Database, from: number | "cursor"): Promise<Start> => startsOf(db).load(from);

async function readStart(db: Database, sinceMs: number | null): Promise<Start> {
  const row = await sql.position(db.pool, { sinceMs });
  if (row === undefined) throw new Error("The database has no row in installation");
  const { finishedAt, asOf, ...start } = row;
  return { ...start, detection: finishedAt && asOf ? { finishedAt, asOf } : null };
}
