import * as sql from "../generated/sql/events.ts";
import type { Queryable } from "../platform/database/statement.ts";

/** Reserves an event id for a test delivery: no event will have it. Gaps between the ids of events are normal. */
export async function takeEventNumber(client: Queryable): Promise<number> {
  const row = await sql.nextNumber(client);
  return (row as { number: number }).number;
}
