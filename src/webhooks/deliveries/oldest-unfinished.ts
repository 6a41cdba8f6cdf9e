import type { Queryable } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/** Deliveries queued before this time are finished; null when all are. */
export async function oldestUnfinished(client: Queryable): Promise<Date | null> {
  const { rows } = await sql.oldestUnfinished.run(client);
  return rows[0]?.since ?? null;
}
