import type { Caller } from "../accounts/keys/caller.ts";
import * as sql from "../generated/sql/events.ts";
import { dayOf, lastDays } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import type { EventType } from "./event-types.ts";
import { planScope, scopeParameter } from "./scope.ts";

const DAYS = 30;

/** How many events of each type of the plan were detected on a day (UTC). */
export interface DayOfTypes {
  day: string;
  counts: readonly number[];
}

/** The events of the caller's plan in the last 30 days up to today, the oldest first. A day's counts are in the order of `types`. */
export async function eventsByDay(
  context: Context,
  caller: Caller,
): Promise<{ types: readonly EventType[]; days: readonly DayOfTypes[] }> {
  const scope = planScope(caller);
  const types = [...scope.keys()];
  const days = lastDays(dayOf(context.clock.now()), DAYS);
  const rows = await sql.countByDay(context.db.pool, {
    scope: scopeParameter(context, caller, scope),
    since: new Date(days[0] as string),
  });
  const counted = new Map(rows.map(({ day, type, count }) => [`${day} ${type}`, count]));
  return {
    types,
    days: days.map((day) => ({ day, counts: types.map((type) => counted.get(`${day} ${type}`) ?? 0) })),
  };
}
