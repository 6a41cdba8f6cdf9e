import type { Queryable } from "../platform/database/statement.ts";
import * as sql from "./statements.ts";

/** Reserves an event id for a test delivery: no event will have it. Gaps between the ids of events are normal. */
export async function takeEventNumber(client: Queryable): Promise<number> {
  const { rows } = await sql.nextNumber.run(client);
  return (rows[0] as { number: number }).number;
}
