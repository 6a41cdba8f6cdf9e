import type { Context } from "../platform/context.ts";
import { EVENT_TYPES, type EventType } from "./event-types.ts";
import { isFreshDetection, newestDetection } from "./freshness.ts";
import * as sql from "./statements.ts";

/** A day (UTC), and how many events of each type were detected on it. It counts no removed business. */
export interface DayOfEvents {
  day: string;
  counts: readonly { type: EventType; count: number }[];
}

/** The newest day with events, for anybody to see. Null before the first event, and while events are stale. */
export async function newestDayOfEvents(context: Context): Promise<DayOfEvents | null> {
  const [detection, { rows }] = await Promise.all([
    newestDetection(context),
    sql.newestDay.run(context.db.pool),
  ]);
  const [first] = rows;
  if (first === undefined || !isFreshDetection(context, detection)) return null;
  const counted = new Map(rows.map(({ type, count }) => [type, count]));
  return { day: first.day, counts: EVENT_TYPES.map((type) => ({ type, count: counted.get(type) ?? 0 })) };
}
