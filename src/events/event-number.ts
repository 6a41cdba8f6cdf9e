import * as sql from "../generated/sql/events.ts";
import type { Queryable } from "../platform/database/statement.ts";

/** Reserves an event id for a test delivery: no event will have it. Gaps between the ids of events are normal. */
export const takeEventNumber = async (client: Queryable): Promise<number> =>
  (await sql.nextNumber(client)).number;
