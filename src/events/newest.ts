import type { Caller } from "../accounts/keys/caller.ts";
import type { Context } from "../platform/context.ts";
import { type EventOut, type EventRow, eventOut } from "./event-row.ts";
import { planScope, scopeParameters } from "./scope.ts";

const NEWEST_COUNT = 20;

/** The newest 20 events of one USDOT number (digits) that the caller's plan and states include, newest first. */
export async function newestEvents(context: Context, caller: Caller, usdot: string): Promise<EventOut[]> {
  const { rows } = await context.db.pool.query<EventRow>(
    `SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
     FROM event
     WHERE usdot = $1
       AND usdot NOT IN (SELECT usdot FROM suppressed_business)
       AND (type = ANY ($2::text[]) OR (type, state) IN (SELECT * FROM unnest($3::text[], $4::text[])))
     ORDER BY id DESC
     LIMIT ${NEWEST_COUNT}`,
    [Number(usdot), ...scopeParameters(planScope(caller))],
  );
  return rows.map(eventOut);
}
