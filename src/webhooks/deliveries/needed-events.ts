import type { Queryable } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/** The highest event id that deliveries don't need any more: events above it must be kept, however old they are. */
export async function eventsDoneUpTo(client: Queryable): Promise<number> {
  const { rows } = await sql.neededEvents.run(client);
  return rows[0]?.up_to ?? Number.MAX_SAFE_INTEGER;
}
