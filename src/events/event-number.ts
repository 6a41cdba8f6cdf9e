import type { Queryable } from "../platform/database/statement.ts";
import * as sql from "./statements.ts";

/**
 * A number of the events' own sequence, for something that looks like an event and is none: no event ever has it.
 * Numbers may be missing among the events, so nobody notices.
 */
export async function takeEventNumber(client: Queryable): Promise<number> {
  const { rows } = await sql.nextNumber.run(client);
  return (rows[0] as { number: number }).number;
}
