import type { Caller } from "../accounts/caller.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import type { EventType } from "./event-types.ts";
import { eventScopeOf } from "./scope.ts";

type EventOut = components["schemas"]["EventOut"];

interface EventRow {
  id: number;
  type: EventType;
  country: string;
  usdot: number;
  docket: string | null;
  state: string | null;
  occurred_on: string | null;
  detected_at: Date;
  source_dataset: string;
  verify_method: string | null;
  data: NonNullable<EventOut["data"]>;
}

const NEWEST_COUNT = 20;

/** The newest 20 events of one USDOT number (digits) that the caller's plan and states include, newest first. */
export async function newestEvents(context: Context, caller: Caller, usdot: string): Promise<EventOut[]> {
  const scope = eventScopeOf(caller);
  const { rows } = await context.db.pool.query<EventRow>(
    `SELECT id, type, country, usdot, docket, state, occurred_on, detected_at, source_dataset, verify_method, data
     FROM event
     WHERE usdot = $1
       AND (type = ANY ($2::text[]) OR (type, state) IN (SELECT * FROM unnest($3::text[], $4::text[])))
     ORDER BY id DESC
     LIMIT ${NEWEST_COUNT}`,
    [Number(usdot), scope.everywhere, scope.limitedTypes, scope.limitedStates],
  );
  return rows.map(eventOut);
}

const eventOut = ({ usdot, occurred_on, detected_at, ...row }: EventRow): EventOut => ({
  ...row,
  usdot: String(usdot),
  occurred_at: occurred_on,
  detected_at: detected_at.toISOString(),
});
